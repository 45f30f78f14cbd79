import { describe, expect, it } from '@jest/globals';
import { requestOf } from '../../test/requests.js';
import { resolveTenantOptions } from '../tenant.defaults.js';
import { AmbiguousTenantError, InvalidTenantError, TenantOptionError } from '../tenant.errors.js';
import type { TenantSubdomainOptions } from '../tenant.options.js';
import { type HostOrigin, subdomainSource } from './subdomain-source.js';

const ours = { baseDomains: ['example.com', 'example.co.uk'] };

function sourceOf(subdomain: TenantSubdomainOptions = {}, origin: HostOrigin = 'host') {
  return subdomainSource(
    resolveTenantOptions({ strategy: 'subdomain', subdomain }).subdomain,
    origin,
  );
}

function found(host: string | undefined, options?: TenantSubdomainOptions) {
  const headers = host === undefined ? [] : [['Host', host] as const];
  return sourceOf(options).find(requestOf({ headers }));
}

describe('subdomainSource, below base domains', () => {
  it.each([
    ['acme.example.com', 'acme'],
    ['ACME.Example.COM:8443', 'acme'],
    ['acme.example.com.', 'acme'],
    ['acme.example.co.uk', 'acme'],
    ['eu.acme.example.com', 'eu'],
    ['example.com', undefined],
    ['example.com.', undefined],
    ['www.example.com', undefined],
    ['WWW.example.com', undefined],
    ['evilexample.com', undefined],
    ['acme.evilexample.com', undefined],
    ['acme.example.com.evil.com', undefined],
    ['acme.co.uk', undefined],
    ['acme.localhost', undefined],
    ['localhost', undefined],
    ['127.0.0.1', undefined],
    ['[::1]:3000', undefined],
    [undefined, undefined],
    ['', undefined],
  ])('finds in %s the tenant %s', (host, tenant) => {
    expect(found(host, ours)).toBe(tenant);
  });

  it.each([
    ['acme.example.com@evil.com'],
    ['acme.example.com/evil'],
    ['acme.example.com\t'],
    [' '],
  ])('refuses %j', (host) => {
    expect(found(host, ours)).toBeInstanceOf(InvalidTenantError);
  });

  it('stands below the longest base domain', () => {
    const nested = { baseDomains: ['example.com', 'eu.example.com', 'COM.'] };
    expect(found('acme.eu.example.com', { ...nested, level: 'last' })).toBe('acme');
    expect(found('eu.example.com', nested)).toBeUndefined();
  });

  it.each([
    ['first', 'a.b.example.com', 'a'],
    ['last', 'a.b.example.com', 'b'],
    ['single', 'a.b.example.com', undefined],
    ['single', 'b.example.com', 'b'],
    ['last', 'example.com', undefined],
  ] as const)('takes with the level %s of %s the label %s', (level, host, tenant) => {
    expect(found(host, { ...ours, level })).toBe(tenant);
  });

  it('keeps the reserved labels of the options instead of www', () => {
    const reserved = { ...ours, reserved: ['API'] };
    expect(found('api.example.com', reserved)).toBeUndefined();
    expect(found('www.example.com', reserved)).toBe('www');
  });
});

describe('subdomainSource, without base domains', () => {
  it.each([
    ['acme.example.com', 'acme'],
    ['acme.localhost:3000', 'acme'],
    ['www.localhost', undefined],
    ['a.b.localhost', 'a'],
    ['example.com', undefined],
    ['localhost:3000', undefined],
    ['1.2.3.4', undefined],
    ['www.example.com', undefined],
  ])('finds in %s the tenant %s', (host, tenant) => {
    expect(found(host)).toBe(tenant);
  });
});

describe('subdomainSource, which host', () => {
  const read = (headers: [string, string][], origin?: HostOrigin) =>
    sourceOf(ours, origin).find(requestOf({ headers }));
  const acme: [string, string] = ['Host', 'acme.example.com'];

  it('reads X-Forwarded-Host only where it is trusted, and Host where it is missing', () => {
    const both: [string, string][] = [acme, ['X-Forwarded-Host', 'evil.example.com']];
    expect(read(both)).toBe('acme');
    expect(read(both, 'forwarded')).toBe('evil');
    expect(read([acme], 'forwarded')).toBe('acme');
    expect(read([acme, ['X-Forwarded-Host', ' ']], 'forwarded')).toBe('acme');
  });

  it.each([
    ['a.example.com, b.example.com', AmbiguousTenantError],
    ['b.example.com,', AmbiguousTenantError],
    [', b.example.com', AmbiguousTenantError],
    ['a.example.com@b', InvalidTenantError],
  ])('refuses X-Forwarded-Host: %s', (forwarded, error) => {
    expect(read([acme, ['X-Forwarded-Host', forwarded]], 'forwarded')).toBeInstanceOf(error);
  });

  it('takes X-Forwarded-Host of several proxies that agree', () => {
    const twice: [string, string][] = [
      ['X-Forwarded-Host', 'b.example.com, B.example.com'],
      ['X-Forwarded-Host', 'b.example.com'],
    ];
    expect(read([acme, ...twice], 'forwarded')).toBe('b');
  });

  it('refuses two lines of Host, of which Node keeps the first', () => {
    expect(read([acme, ['HOST', 'b.example.com']])).toBeInstanceOf(AmbiguousTenantError);
    expect(read([acme, acme])).toBeInstanceOf(AmbiguousTenantError);
  });

  it('reads :authority over HTTP/2, and refuses a Host that differs', () => {
    expect(read([[':authority', 'acme.example.com']])).toBe('acme');
    expect(read([[':authority', 'acme.example.com'], acme])).toBe('acme');
    expect(read([[':authority', 'b.example.com'], acme])).toBeInstanceOf(AmbiguousTenantError);
  });
});

describe('subdomainSource, options that can never work', () => {
  it.each([
    [{ baseDomains: [] }, /`subdomain\.baseDomains` of TenantModule is empty.*List/],
    [
      { baseDomains: ['.example.com'] },
      /baseDomains` of TenantModule has "\.example\.com".*without/,
    ],
    [{ baseDomains: ['https://example.com'] }, /baseDomains` of TenantModule has/],
    [{ baseDomains: ['example.com:80'] }, /baseDomains` of TenantModule has/],
    [{ baseDomains: ['127.0.0.1'] }, /baseDomains` of TenantModule has/],
  ])('refuses %o', (options, message) => {
    expect(() => sourceOf(options)).toThrow(TenantOptionError);
    expect(() => sourceOf(options)).toThrow(message);
  });
});
