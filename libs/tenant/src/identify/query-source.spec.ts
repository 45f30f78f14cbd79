import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requestOf } from '../../test/requests.js';
import { AmbiguousTenantError, InvalidTenantError, TenantOptionError } from '../tenant.errors.js';
import { querySource } from './query-source.js';

const source = querySource('tenant');
const find = (url: string) => source.find(requestOf({ url }));

describe('querySource', () => {
  it.each([
    ['/?tenant=acme', 'acme'],
    ['/a?x=1&tenant=acme&y=2', 'acme'],
    ['/?tenant=acme#tenant=b', 'acme'],
    ['/?%74enant=%61cme', 'acme'],
    ['/?tenant=a=b', 'a=b'],
    ['/?tenant=a+b%2Bc', 'a b+c'],
    ['/?tenant=%2561', '%61'],
    ['http://other/?tenant=acme', 'acme'],
    ['/?a=?&tenant=acme', 'acme'],
    ['/', undefined],
    ['/?', undefined],
    ['/?tenants=acme', undefined],
    ['/?Tenant=acme', undefined],
    ['/?tenant', undefined],
    ['/?tenant=', undefined],
    ['/?tenant=+%20', undefined],
    ['/tenant=acme', undefined],
    ['/#?tenant=acme', undefined],
    ['/?x=%E0%A4%A&%=1', undefined],
  ])('finds in %s the tenant %s', (url, tenant) => {
    expect(find(url)).toBe(tenant);
  });

  it.each([
    ['/?tenant=a&tenant=b'],
    ['/?tenant=a&tenant=a'],
    ['/?tenant=a&%74enant='],
    ['/?tenant&tenant'],
  ])('calls %s ambiguous', (url) => {
    expect(find(url)).toBeInstanceOf(AmbiguousTenantError);
  });

  it.each([
    ['/?tenant[k]=b'],
    ['/?tenant[]=b'],
    ['/?tenant=a&tenant[]=b'],
    ['/?tenant%5Bk%5D=b'],
    ['/?tenant[=b'],
    ['/?tenant=%E0%A4%A'],
    ['/?tenant=%'],
  ])('refuses %s', (url) => {
    expect(find(url)).toBeInstanceOf(InvalidTenantError);
  });

  it('reads the target as sent, not what mounts and parsers made of it', () => {
    const request = requestOf({ url: '/', originalUrl: '/x?tenant=acme' });
    expect(source.find({ ...request, query: { tenant: 'evil' } })).toBe('acme');
  });

  it('takes any name for a parameter but none', () => {
    expect(querySource('filter[org]').find(requestOf({ url: '/?filter[org]=a' }))).toBe('a');
    expect(() => querySource('')).toThrow(TenantOptionError);
    expect(() => querySource('')).toThrow(/`queryParam` of TenantModule is empty\. Pass/);
  });

  it('finds what a form sends, whatever it is', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => value.trim() !== '');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text, (other, value) => {
        const form = new URLSearchParams({ [`x${other}`]: other, tenant: value });
        expect(find(`/?${form.toString()}`)).toBe(value);
      }),
    );
  });

  it('never throws', () => {
    const parts = fc.constantFrom('tenant', '=', '&', '%', '[', ']', '+', '%61', '#', '?');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(parts).map((list) => list.join('')),
        ),
        (query) => {
          expect(() => find(`/?${query}`)).not.toThrow();
        },
      ),
    );
  });
});
