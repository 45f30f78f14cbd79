import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { varyBy } from './vary-header.js';

describe('varyBy', () => {
  it.each<[string | string[] | undefined, string[], unknown]>([
    [undefined, ['x-a', 'x-b'], 'x-a, x-b'],
    ['Origin', ['x-a'], 'Origin, x-a'],
    [['Origin', 'Accept'], ['x-a'], 'Origin, Accept, x-a'],
    ['origin ,X-A', ['x-a'], 'origin ,X-A'],
    ['X-Ab', ['x-a'], 'X-Ab, x-a'],
    ['*', ['x-a'], '*'],
    [undefined, [], undefined],
  ])('adds to %j the names %j: %j', (told, names, expected) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    if (told !== undefined) response.setHeader('Vary', told);
    varyBy(response as never, names);
    varyBy(response as never, names);
    expect(response.getHeader('vary')).toEqual(expected);
  });

  it('leaves alone what has no headers', () => {
    const response = { statusCode: 200 };
    varyBy(response, ['x-a']);
    expect(response).toEqual({ statusCode: 200 });
  });
});
