import { describe, expect, it } from '@jest/globals';
import { callerOf, headerFilter, localOrigin, withoutSession } from './caller.js';

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

describe('withoutSession', () => {
  it('removes the session id, and keeps everything else', () => {
    const origin = localOrigin(['Mcp-Session-Id', '1', 'x-tenant', 'mcp-session-id']);
    const caller = callerOf(origin, (all) => all, '/mcp', { id: 'ada' });
    const changed = withoutSession(caller);
    const forwarded = ['host', 'localhost', 'x-tenant', 'mcp-session-id'];
    expect(changed).toEqual({
      ...caller,
      origin: expect.anything() as unknown,
      forwarded,
      request: { ...caller.request, headers: changed.origin.headers },
    });
    expect(changed.origin).toMatchObject({
      headers: { host: 'localhost', 'x-tenant': 'mcp-session-id' },
      rawHeaders: forwarded,
      socket: origin.socket,
    });
    expect(changed.origin.headers).not.toHaveProperty('mcp-session-id');
    expect(withoutSession(changed)).toBe(changed);
  });
});
