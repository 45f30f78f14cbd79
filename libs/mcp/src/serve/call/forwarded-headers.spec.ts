import { describe, expect, it } from '@jest/globals';
import { callerOf, localOrigin } from './caller.js';
import { callerKey, headerFilter, withoutHeaders } from './forwarded-headers.js';

const pick = headerFilter(['authorization', 'x-tenant-id']);

describe('headerFilter', () => {
  it('passes the listed headers, whatever their case, each as often as it came', () => {
    const raw = ['Authorization', 'Bearer t', 'X-Tenant-ID', 'a', 'x-tenant-id', 'b'];
    expect(pick(raw)).toEqual(raw);
  });

  it('passes what tells of the origin', () => {
    const raw = [
      'Host',
      'acme.example.com',
      'X-Forwarded-For',
      '203.0.113.9',
      'Forwarded',
      'for=x',
    ];
    expect(pick(raw)).toEqual(raw);
  });

  it('passes nothing else', () => {
    expect(
      pick([
        ...['Cookie', 's=1', 'X-Secret', 'x', 'Content-Length', '12', 'Content-Type', 'text/plain'],
        ...['Connection', 'close', 'Transfer-Encoding', 'chunked', 'Accept-Encoding', 'gzip'],
        ...[
          'Mcp-Protocol-Version',
          '2025-11-25',
          'Accept',
          'text/event-stream',
          'Origin',
          'http://a',
        ],
      ]),
    ).toEqual([]);
  });
});

describe('callerKey', () => {
  const keyOf = (headers: Record<string, string>, principal?: { id: string }) => {
    const { origin } = callerOf(localOrigin(Object.entries(headers).flat()), undefined, '/');
    return callerKey(callerOf(origin, principal, '/'), origin.rawHeaders);
  };

  it('is the same for every request of one caller', () => {
    const tenant = { 'x-tenant': 'acme', 'x-api-key': 'k' };
    const key = keyOf(tenant);
    for (const name of ['x-request-id', 'X-Correlation-ID', 'traceparent', 'x-b3-traceid']) {
      expect(keyOf({ ...tenant, [name]: '1' })).toBe(key);
    }
    expect(keyOf({ 'X-Api-Key': 'k', 'x-tenant': 'acme' })).toBe(key);
    // Another process of the application may have another port.
    expect(keyOf({ 'x-forwarded-host': 'acme.example.com:8080' })).toBe(
      keyOf({ 'x-forwarded-host': 'acme.example.com' }),
    );
  });

  it('differs where a header may name another user or tenant', () => {
    const others = [
      { 'x-forwarded-host': 'b.example.com' },
      {},
      { 'x-tenant': 'acme' },
      { 'x-tenant': 'other' },
      { authorization: 'a' },
    ];
    const sessions = [{ 'mcp-session-id': '1' }, { 'mcp-session-id': '2' }];
    const keys = [...others, ...sessions].map((headers) => keyOf(headers));
    expect(new Set([...keys, keyOf({}, { id: 'ada' })]).size).toBe(8);
    expect(keyOf({ 'mcp-session-id': '1' }, { id: 'ada' })).toBe(keyOf({}, { id: 'ada' }));
  });
});

describe('withoutHeaders', () => {
  it('removes headers, and keeps everything else', () => {
    const origin = localOrigin(['Mcp-Session-Id', '1', 'x-tenant', 'mcp-session-id']);
    const caller = callerOf(origin, { id: 'ada' }, '/mcp', 'read_tool');
    const changed = withoutHeaders(caller, 'mcp-session-id');
    expect(changed).toEqual({ ...caller, origin: expect.anything() as unknown });
    expect(changed.origin).toMatchObject({
      headers: { host: 'localhost', 'x-tenant': 'mcp-session-id' },
      rawHeaders: ['host', 'localhost', 'x-tenant', 'mcp-session-id'],
      socket: origin.socket,
    });
    expect(changed.origin.headers).not.toHaveProperty('mcp-session-id');
    expect(withoutHeaders(changed, 'mcp-session-id')).toBe(changed);
  });
});
