import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { directedCall, nameHeaderOf } from './directed-call.js';
import { type ClientMessage, clientMessageOf } from './json-rpc.js';

function messageOf(params: unknown, method = 'tools/call'): ClientMessage | undefined {
  return clientMessageOf(JSON.parse(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
}

const callOf = (args: unknown) => messageOf({ name: 'call_tool', arguments: args });

describe('directedCall', () => {
  it('names the tool, and keeps everything else of the message', () => {
    const params = {
      name: 'call_tool',
      arguments: { name: 'a', arguments: { b: { c: 1 } } },
      _meta: { progressToken: 7 },
      requestState: 's',
    };
    expect(directedCall(messageOf(params), undefined)?.message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'a',
        arguments: { b: { c: 1 } },
        _meta: { progressToken: 7 },
        requestState: 's',
      },
    });
  });

  it.each([undefined, null, {}])('gives a tool no arguments for %j', (args) => {
    const call = directedCall(callOf({ name: 'a', arguments: args }), undefined);
    expect(call?.message.params?.['arguments']).toEqual({});
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
    ]) {
      expect(directedCall(message, undefined)).toBeUndefined();
    }
  });

  it.each([
    ['call_tool', true],
    [' call_tool ', true],
    [nameHeaderOf('call_tool'), true],
    ['a', false],
    ['', false],
    [nameHeaderOf('a'), false],
    ['=?base64?call_tool?=', false],
  ])('compares the header %j', (header, isDirected) => {
    expect(directedCall(callOf({ name: 'a' }), header) !== undefined).toBe(isDirected);
  });

  it('never makes a call of a tool of search', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('call_tool', 'search_tools', 'Call_Tool', 'a', '__proto__'),
        fc.jsonValue(),
        (name, args) => {
          const directed = directedCall(callOf({ name, arguments: args }), undefined);
          expect(['call_tool', 'search_tools']).not.toContain(directed?.message.params?.['name']);
        },
      ),
    );
  });
});
