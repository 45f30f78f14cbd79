import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { toolArguments } from './tool-arguments.js';

describe('toolArguments', () => {
  it('is an empty object without the option', async () => {
    expect(await toolArguments(undefined, Readable.from([]))).toEqual({});
  });

  it('reads stdin for -', async () => {
    const stdin = Readable.from(['{ "id": ', '1 }']);
    expect(await toolArguments('-', stdin)).toEqual({ id: 1 });
  });

  it.each(['[1]', 'null', '{id:1}', ''])('says that %j came from stdin', async (text) => {
    await expect(toolArguments('-', Readable.from([text]))).rejects.toThrow(/^--args - \(stdin\) /);
  });
});
