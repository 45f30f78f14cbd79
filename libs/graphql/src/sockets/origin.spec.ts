import { describe, expect, it } from '@jest/globals';
import { originAllowed, originSetOf } from './origin.js';

const allowed = (headers: { origin?: string; host?: string }, ...origins: string[]) =>
  originAllowed({ headers }, originSetOf(origins));

describe('originAllowed', () => {
  it.each([
    [{ host: 'a.com' }],
    [{ origin: 'https://a.com', host: 'a.com' }],
    [{ origin: 'https://a.com', host: 'a.com:443' }],
    [{ origin: 'http://a.com:8080', host: 'A.com:8080' }],
    [{ origin: 'http://[::1]:3000', host: '[::1]:3000' }],
  ])('lets in %j', (headers) => expect(allowed(headers)).toBe(true));

  it.each([
    [{ origin: 'https://b.com', host: 'a.com' }],
    [{ origin: 'http://a.com:8081', host: 'a.com:8080' }],
    [{ origin: 'http://a.com', host: 'a.com:443' }],
    [{ origin: 'https://a.com' }],
    [{ origin: 'null', host: 'null' }],
    [{ origin: 'file://a.com', host: 'a.com' }],
    [{ origin: 'chrome-extension://a.com', host: 'a.com' }],
    [{ origin: 'https://', host: 'a.com' }],
    [{ origin: 'https://a.com', host: '' }],
  ])('keeps out %j', (headers) => expect(allowed(headers)).toBe(false));

  it('accepts listed origins, as browsers write them', () => {
    const headers = { origin: 'https://app.example.com', host: 'a.com' };
    expect(allowed(headers, 'https://app.example.com')).toBe(true);
    expect(allowed(headers, 'https://APP.example.com:443/')).toBe(true);
    expect(allowed(headers, 'https://example.com')).toBe(false);
    expect(allowed({ origin: 'null', host: 'a.com' }, 'null')).toBe(true);
    expect(allowed({ origin: 'chrome-extension://abc' }, 'chrome-extension://abc')).toBe(true);
    expect(allowed({ origin: 'anything' }, '*')).toBe(true);
  });

  it.each(['app.example.com', 'https://*.a.com', 'https://a.com/x', 'https://a.com?x', 'ws'])(
    'refuses %p as an origin to list',
    (origin) => {
      expect(() => originSetOf([origin])).toThrow(`"${origin}", which is not an origin`);
    },
  );
});
