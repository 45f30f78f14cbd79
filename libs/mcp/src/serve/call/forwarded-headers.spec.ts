import { describe, expect, it } from '@jest/globals';
import { headerFilter } from './forwarded-headers.js';

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
