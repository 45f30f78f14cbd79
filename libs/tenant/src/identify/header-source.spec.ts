import { describe, expect, it } from '@jest/globals';
import { requestOf, wrapped } from '../../test/requests.js';
import { AmbiguousTenantError, InvalidTenantError, TenantOptionError } from '../tenant.errors.js';
import { headerSource } from './header-source.js';

const source = headerSource('X-Tenant-ID', true);
const sent = (...values: string[]) =>
  requestOf({ headers: values.map((value) => ['X-Tenant-ID', value] as const) });

describe('headerSource', () => {
  it('finds the value, whatever the case of the name', () => {
    expect(source.find(sent('acme'))).toBe('acme');
    expect(source.find(requestOf({ headers: [['x-TENANT-id', 'acme']] }))).toBe('acme');
    expect(source.find(wrapped(sent('acme')))).toBe('acme');
    expect(source.place).toBe('The header x-tenant-id');
  });

  it.each([[''], ['  '], ['\t']])('takes %j for absent', (value) => {
    expect(source.find(sent(value))).toBeUndefined();
  });

  it('does not find what was not sent', () => {
    expect(source.find(requestOf({ headers: [['x-tenant', 'acme']] }))).toBeUndefined();
  });

  it('trims nothing, so that the rule of identifiers judges what was sent', () => {
    expect(source.find(sent(' acme'))).toBe(' acme');
  });

  it.each([[['a', 'b']], [['a', 'a']], [['a', '']], [['', '']]])('refuses %j', (values) => {
    expect(source.find(sent(...values))).toBeInstanceOf(AmbiguousTenantError);
    expect(source.find(wrapped(sent(...values)))).toBeInstanceOf(AmbiguousTenantError);
  });

  it('takes one value with a comma for one value', () => {
    expect(source.find(sent('a, b'))).toBe('a, b');
  });

  it('honours middleware that removed or replaced the header', () => {
    const { headers, ...request } = sent('evil');
    expect(source.find({ ...request, headers: {} })).toBeUndefined();
    expect(source.find({ ...request, headers: { ...headers, 'x-tenant-id': 'acme' } })).toBe(
      'acme',
    );
  });

  it('reads requests that somebody made up, without raw headers', () => {
    const made = (value: string | string[]) =>
      source.find({ method: 'GET', url: '/', headers: { 'x-tenant-id': value } });
    expect(made('acme')).toBe('acme');
    expect(made(['a', 'b'])).toBeInstanceOf(AmbiguousTenantError);
    expect(
      source.find({ method: 'GET', url: '/', headers: { 'x-tenant-id': 7 as never } }),
    ).toBeInstanceOf(InvalidTenantError);
  });

  it('takes the header of a peer who is not trusted for absent, also where it is doubled', () => {
    const closed = headerSource('x-tenant-id', ['10.0.0.0/8']);
    expect(closed.find(sent('acme'))).toBeUndefined();
    expect(closed.find(sent('a', 'b'))).toBeUndefined();
    const inside = requestOf({ headers: [['x-tenant-id', 'acme']], from: '10.1.2.3' });
    expect(closed.find(inside)).toBe('acme');
  });

  it.each([[''], ['x tenant'], ['x:tenant'], ['x-tenant\n'], ['mandant-für']])(
    'refuses the name %j at boot',
    (name) => {
      expect(() => headerSource(name, true)).toThrow(TenantOptionError);
      expect(() => headerSource(name, true)).toThrow(/not a valid header name\. Pass/);
    },
  );
});
