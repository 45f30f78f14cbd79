import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { readAccept, writeJson } from './answer.js';

const GRAPHQL = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';
const STREAM = 'text/event-stream';

describe('readAccept', () => {
  it.each([
    [undefined, JSON_TYPE, undefined],
    ['', JSON_TYPE, undefined],
    ['*/*', JSON_TYPE, undefined],
    [GRAPHQL, GRAPHQL, undefined],
    [`${JSON_TYPE};q=0, */*`, GRAPHQL, undefined],
    ['text/*', undefined, undefined],
    ['x', undefined, undefined],
    [STREAM, undefined, 'preferred'],
    ['Text/Event-Stream', undefined, 'preferred'],
    [`${STREAM};q=0`, undefined, undefined],
    [`${GRAPHQL}, ${JSON_TYPE}, ${STREAM}`, GRAPHQL, 'possible'],
    [`${STREAM}, */*`, JSON_TYPE, 'preferred'],
    [`${JSON_TYPE};q=0.5, ${STREAM}`, JSON_TYPE, 'preferred'],
    [`${JSON_TYPE}, ${STREAM};q=0`, JSON_TYPE, undefined],
  ])('reads %s', (accept, json, stream) => {
    // From the cache the second time.
    for (let run = 0; run < 2; run += 1) expect(readAccept(accept)).toEqual({ json, stream });
  });

  it('reads any number of headers', () => {
    for (let n = 0; n < 500; n += 1) {
      expect(readAccept(`text/x-${n}, ${GRAPHQL}`).json).toBe(GRAPHQL);
    }
  });
});

describe('a response', () => {
  const exchange = (httpVersionMajor: number) => {
    const req = Object.assign(new IncomingMessage(new Socket()), { httpVersionMajor });
    return { req, res: new ServerResponse(req) };
  };

  // Node.js prints warnings for what HTTP/2 does not have.
  it.each([
    [1, 'Partial Success'],
    [2, 'unknown'],
  ])('over HTTP/%i has the reason phrase %s, and its length', (version, phrase) => {
    const partial = exchange(version);
    writeJson(partial, { status: 294, type: GRAPHQL }, '{}');
    expect(partial.res.statusMessage).toBe(phrase);
    expect(partial.res.getHeader('content-length')).toBe(2);
  });
});
