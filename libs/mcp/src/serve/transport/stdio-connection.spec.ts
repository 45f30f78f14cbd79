import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { StdioConnection } from './stdio-connection.js';

afterEach(() => {
  jest.restoreAllMocks();
});

/** A connection whose extensions fail for every message. */
function failingConnection() {
  const output = new PassThrough();
  const rewrite = () => {
    throw new Error('broken');
  };
  const operations = { onChange: () => undefined, rewrite, watches: { any: false } };
  const protocol = { operations: {} };
  const setup = { output, operations, protocol, stateless: {}, caller: {} } as never;
  return { connection: new StdioConnection(setup), output };
}

describe('StdioConnection', () => {
  it('answers an unexpected error, and stays open', () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { connection, output } = failingConnection();
    const error = '"error":{"code":-32603,"message":"Internal error"}';
    for (const id of [1, 2, 1]) {
      connection.receive(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      expect(String(output.read())).toBe(`{"jsonrpc":"2.0",${error},"id":${id}}\n`);
    }
    connection.receive('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect(output.read()).toBeNull();
    expect(logged).toHaveBeenCalledTimes(4);
  });
});
