import { describe, expect, it } from '@jest/globals';
import { callerOf, localOrigin, withoutSession } from './caller.js';

describe('withoutSession', () => {
  it('removes the session id, and keeps everything else', () => {
    const origin = localOrigin(['Mcp-Session-Id', '1', 'x-tenant', 'mcp-session-id']);
    const caller = callerOf(origin, (all) => all, '/mcp', { principal: { id: 'ada' } });
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
