import { describe, expect, it } from '@jest/globals';
import { isPublic, mayFetchDocument } from './client-document-guard.js';

describe('the metadata document of a client', () => {
  it.each([
    'https://127.0.0.1/client',
    'https://localhost/client',
    'https://[::1]/client',
    'https://[::ffff:127.0.0.1]/client',
    'https://169.254.169.254/latest/meta-data',
    'https://0x7f.1/client',
    'https://2130706433/client',
    'https://no-such-host.invalid/client',
    'https://93.184.216.34/',
  ])('is not fetched from %s', async (url) => {
    expect(await mayFetchDocument(url)).toBe(false);
  });

  it('is fetched from an address of the Internet', async () => {
    expect(await mayFetchDocument('https://93.184.216.34/client')).toBe(true);
    expect(await mayFetchDocument('https://[2606:4700::1111]/client.json')).toBe(true);
  });
});

it.each([
  '10.1.2.3',
  '100.64.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '255.255.255.255',
  'fc00::1',
  'fe80::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::',
  'localhost',
])('%s is no address of the Internet', (address) => {
  expect(isPublic(address)).toBe(false);
});
