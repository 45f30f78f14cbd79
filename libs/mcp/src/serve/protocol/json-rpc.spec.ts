import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clientMessageOf, errorJson, isTooDeep, readableId, resultJson } from './json-rpc.js';

describe('clientMessageOf', () => {
  it.each([
    ['request', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ['request', { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: {} }],
    ['notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['response', { jsonrpc: '2.0', id: 1, error: { code: -1, message: '' } }],
    ['response', { jsonrpc: '2.0', error: { code: -1, message: '' } }],
    ['request', { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { progressToken: 0 } } }],
  ])('tells a %s', (kind, body) => {
    expect(clientMessageOf(body)).toEqual({ kind, message: body });
  });

  it('takes null for no parameters', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect(clientMessageOf({ ...message, params: null })).toEqual({ kind: 'request', message });
  });

  it.each([
    null,
    1,
    'ping',
    [],
    {},
    { id: 1, method: 'ping' },
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: null, method: 'ping' },
    { jsonrpc: '2.0', id: 1.5, method: 'ping' },
    { jsonrpc: '2.0', id: 2 ** 53, method: 'ping' },
    { jsonrpc: '2.0', id: 1, method: 'ping', extra: 1 },
    { jsonrpc: '2.0', id: 1, method: 'ping', result: {} },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: 1, method: 7 },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } },
    { jsonrpc: '2.0', id: 1, result: {}, extra: 1 },
    { jsonrpc: '2.0', id: 1, result: [] },
    { jsonrpc: '2.0', result: {} },
    { jsonrpc: '2.0', id: null, error: { code: 1, message: '' } },
    { jsonrpc: '2.0', id: 1, error: { code: '1', message: '' } },
    { jsonrpc: '2.0', id: 1, error: { code: 1 } },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: null } },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { progressToken: {} } } },
  ])('refuses %j', (body) => {
    expect(clientMessageOf(body)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (body) => void clientMessageOf(body)));
  });
});

describe('readableId', () => {
  it.each([
    [{ jsonrpc: '2.0', id: 'a', method: 'ping', params: 7 }, 'a'],
    [{ id: 1.5, method: 'ping' }, 1.5],
    [{ id: null, method: 'ping' }, undefined],
    [{ id: 1, result: 7 }, undefined],
    ['ping', undefined],
  ])('of %j is %j', (body, id) => {
    expect(readableId(body)).toBe(id);
  });
});

describe('the JSON of responses', () => {
  it('is JSON, whatever the id', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer()), (id) => {
        expect(JSON.parse(resultJson(id, '{"tools":[]}'))).toEqual({
          jsonrpc: '2.0',
          id,
          result: { tools: [] },
        });
        expect(JSON.parse(errorJson(id, -32602, 'no'))).toEqual({
          jsonrpc: '2.0',
          id,
          error: { code: -32602, message: 'no' },
        });
      }),
    );
  });
});

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('isTooDeep', () => {
  it.each([
    ['a number', '1', false],
    ['256 levels', nested(256), false],
    ['257 levels', nested(257), true],
    ['a hundred thousand', nested(100_000), true],
    ['many beside each other', `[${'{"a":[]},'.repeat(1_000)}1]`, false],
    ['brackets in a text', JSON.stringify(nested(1_000)), false],
    ['a text with quotes and backslashes', JSON.stringify({ a: '\\"[[['.repeat(300) }), false],
    ['levels behind such a text', `{"a":"\\\\","b":${nested(300)}}`, true],
  ])('judges %s', (_, json, tooDeep) => {
    expect(isTooDeep(json)).toBe(tooDeep);
  });
});
