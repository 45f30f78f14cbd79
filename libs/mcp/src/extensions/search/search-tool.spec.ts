import { describe, expect, it } from '@jest/globals';
import { hintsOfAny, rewriteCall } from './search-tool.js';
import fc from 'fast-check';
import { type ClientMessage, clientMessageOf } from '../../serve/protocol/json-rpc.js';

const read = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const write = { ...read, readOnlyHint: false };

describe('hintsOfAny', () => {
  it.each([
    [[read], read],
    [[read, { ...read, openWorldHint: true }], { ...read, openWorldHint: true }],
    [[write], write],
    [
      [write, { ...write, destructiveHint: true, idempotentHint: false }],
      { ...write, destructiveHint: true, idempotentHint: false },
    ],
    [
      [{ readOnlyHint: false, destructiveHint: false, openWorldHint: false }],
      { ...write, idempotentHint: false },
    ],
  ])('of %j', (tools, hints) => {
    expect(hintsOfAny(tools)).toEqual(hints);
  });
});

function messageOf(params: unknown, method = 'tools/call'): ClientMessage | undefined {
  return clientMessageOf(JSON.parse(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
}

const RUNNERS: ReadonlyMap<string, 'read_tool' | 'call_tool'> = new Map([
  ['get', 'read_tool'],
  ['a', 'call_tool'],
]);

function rewritten(client: ClientMessage | undefined, header?: string) {
  if (client?.kind !== 'request') return undefined;
  return rewriteCall(client.message, header === undefined ? {} : { 'mcp-name': header }, (name) =>
    RUNNERS.get(name),
  );
}

const callOf = (args: unknown) => messageOf({ name: 'call_tool', arguments: args });

describe('rewriteCall', () => {
  it('names the tool, and keeps everything else of the message', () => {
    const params = {
      name: 'call_tool',
      arguments: { name: 'a', arguments: { b: { c: 1 } } },
      _meta: { progressToken: 7 },
      requestState: 's',
    };
    expect(rewritten(messageOf(params))).toEqual({
      via: 'call_tool',
      request: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'a',
          arguments: { b: { c: 1 } },
          _meta: { progressToken: 7 },
          requestState: 's',
        },
      },
    });
  });

  it.each([undefined, null, {}])('gives a tool no arguments for %j', (args) => {
    const call = rewritten(callOf({ name: 'a', arguments: args }));
    expect(call?.request.params?.['arguments']).toEqual({});
  });

  it('leaves other messages as they are', () => {
    const inner = { name: 'a', arguments: {} };
    for (const message of [
      undefined,
      messageOf({ name: 'a', arguments: inner }),
      messageOf({ name: 'call_tool', arguments: inner }, 'prompts/get'),
      messageOf({ name: 'call_tool' }),
      clientMessageOf({
        jsonrpc: '2.0',
        method: 'tools/call',
        params: { name: 'call_tool', arguments: inner },
      }),
      ...[null, [], 'a', {}, { name: 1 }, { name: ['a'] }].map(callOf),
      ...[[], 'x', 1, true].map((args) => callOf({ name: 'a', arguments: args })),
      callOf({ ...inner, other: 1 }),
      clientMessageOf(
        JSON.parse(
          '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call_tool","arguments":{"name":"a","__proto__":{}}}}',
        ),
      ),
      callOf({ name: 'call_tool', arguments: inner }),
      callOf({ name: 'search_tools', arguments: {} }),
      callOf({ name: 'get', arguments: {} }),
      callOf({ name: 'tool_of_no_route', arguments: {} }),
      messageOf({ name: 'read_tool', arguments: { name: 'a' } }),
      messageOf({ name: 'read_tool', arguments: { name: 'read_tool' } }),
    ]) {
      expect(rewritten(message)).toBeUndefined();
    }
  });

  it('makes a call of a read-only tool of a call of read_tool', () => {
    const call = rewritten(messageOf({ name: 'read_tool', arguments: { name: 'get' } }));
    expect(call).toMatchObject({ via: 'read_tool', request: { params: { name: 'get' } } });
  });

  it.each([
    ['call_tool', true],
    [' call_tool ', true],
    ['=?base64?Y2FsbF90b29s?=', true],
    ['a', false],
    ['', false],
    ['=?base64?YQ==?=', false],
    ['=?base64?call_tool?=', false],
  ])('compares the header %j', (header, isRewritten) => {
    expect(rewritten(callOf({ name: 'a' }), header) !== undefined).toBe(isRewritten);
  });

  it('never makes a call of a tool of search', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('call_tool', 'search_tools', 'Call_Tool', 'a', '__proto__'),
        fc.jsonValue(),
        (name, args) => {
          const call = rewritten(callOf({ name, arguments: args }));
          expect(['call_tool', 'search_tools']).not.toContain(call?.request.params?.['name']);
        },
      ),
    );
  });
});
