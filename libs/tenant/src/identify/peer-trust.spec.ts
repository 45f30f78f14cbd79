import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requestOf, wrapped } from '../../test/requests.js';
import { TenantOptionError } from '../tenant.errors.js';
import { compileTrust } from './peer-trust.js';

describe('compileTrust', () => {
  const blocks = [
    '10.0.0.0/8',
    '192.168.1.7',
    '2001:db8::/32',
    '::1',
    '::ffff:172.16.0.0/108',
    'fe80::/10',
  ];

  it.each([
    ['10.1.2.3', true],
    ['11.1.2.3', false],
    ['192.168.1.7', true],
    ['192.168.1.8', false],
    ['::ffff:10.1.2.3', true],
    ['::ffff:a01:203', true],
    ['::ffff:11.1.2.3', false],
    ['2001:db8:1::1', true],
    ['2001:db9::1', false],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['127.0.0.1', false],
    ['172.16.0.1', true],
    ['172.32.0.1', false],
    ['fe80::1%eth0', true],
    ['', false],
    ['unix', false],
    [undefined, false],
  ])('of a list: %s is %s', (from, trusted) => {
    const request = { ...requestOf(), socket: { remoteAddress: from } };
    expect(compileTrust(blocks)(request)).toBe(trusted);
    expect(compileTrust(blocks)(wrapped(request))).toBe(trusted);
  });

  it('trusts nobody of a request without a socket, and nobody by an empty list', () => {
    expect(compileTrust(blocks)({ method: 'GET', url: '/', headers: {} })).toBe(false);
    expect(compileTrust([])(requestOf())).toBe(false);
    expect(compileTrust(['0.0.0.0/0', '::/0'])(requestOf())).toBe(true);
  });

  it('trusts all, or none, or whom a function accepts', () => {
    expect(compileTrust(true)(requestOf())).toBe(true);
    expect(compileTrust(false)(requestOf())).toBe(false);
    const byUrl = compileTrust(({ url }) => url === '/in');
    expect(byUrl(requestOf({ url: '/in' }))).toBe(true);
    expect(byUrl(requestOf({ url: '/out' }))).toBe(false);
  });

  it('takes the promise of an async function for no', () => {
    const wrong = (() => Promise.resolve(false)) as never;
    expect(compileTrust(wrong)(requestOf())).toBe(false);
  });

  it.each([
    ['10.0.0.0/33'],
    ['::1/129'],
    ['10.0.0.0/'],
    ['10.0.0.0/8/8'],
    ['10.0.0.0/-1'],
    ['10.0.0/8'],
    ['localhost'],
    ['fe80::1%eth0'],
    [''],
    [' 10.0.0.0/8'],
    ['*'],
  ])('refuses %j at boot, naming it', (block) => {
    expect(() => compileTrust([block])).toThrow(TenantOptionError);
    expect(() => compileTrust([block])).toThrow(`\`trust.header\` of TenantModule has "${block}"`);
  });

  it('trusts an IPv4 address alike, in both ways it is written', () => {
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.integer({ min: 0, max: 32 }),
        fc.ipV4(),
        (base, length, address) => {
          const isTrusted = compileTrust([`${base}/${length}`]);
          const plain = isTrusted(requestOf({ from: address }));
          expect(isTrusted(requestOf({ from: `::ffff:${address}` }))).toBe(plain);
          const bits = (ip: string) =>
            ip.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
          const size = 2 ** (32 - length);
          expect(plain).toBe(Math.floor(bits(base) / size) === Math.floor(bits(address) / size));
        },
      ),
    );
  });
});
