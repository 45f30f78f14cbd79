import { describe, expect, it } from '@jest/globals';
import { resolveTenantOptions } from './tenant.defaults.js';

const resolve = (options: object) => () => resolveTenantOptions({ strategy: 'header', ...options });
const principal = () => 'acme';

describe('the options of TenantModule', () => {
  it.each([
    [{ verfy: { principal } }, '{ verfy }', 'verify'],
    [{ verify: { principal, requird: true } }, '{ verify: { requird } }', 'required'],
    [{ errors: { opaqe: true } }, '{ errors: { opaqe } }', 'opaque'],
    [{ trust: { headers: false } }, '{ trust: { headers } }', 'header'],
    [{ identifier: { patern: /a/ } }, '{ identifier: { patern } }', 'pattern'],
    [{ subdomain: { baseDomain: ['a.b'] } }, '{ subdomain: { baseDomain } }', 'baseDomains'],
    [{ path: { stripp: true } }, '{ path: { stripp } }', 'strip'],
    [{ cache: { ttl: 5 } }, '{ cache: { ttl } }', 'ttlMs'],
    [{ hooks: { reject: () => undefined } }, '{ hooks: { reject } }', 'rejected'],
    [{ strategy: ['query', { type: 'path', strpi: true }] }, '{ strategy: { strpi } }', 'strip'],
  ])('take no misspelt name: %j', (options, place, nearest) => {
    expect(resolve(options)).toThrow(
      `TenantModule.forRoot(${place}) is no option. Did you mean ${nearest}? There are`,
    );
  });

  it.each([
    [{ hooks: { toString: principal } }, '{ hooks: { toString } }'],
    [{ strategy: { type: 'header', name: 'x-org' } }, '{ strategy: { name } }'],
  ])('take no other name: %j', (options, place) => {
    expect(resolve(options)).toThrow(`TenantModule.forRoot(${place}) is no option. There are`);
  });

  it.each([
    [{ verify: true }, 'verify'],
    [{ errors: 'opaque' }, 'errors'],
    [{ cache: true }, 'cache'],
    [{ trust: null }, 'trust'],
    [{ path: [] }, 'path'],
  ])('take an object where one is due: %j', (options, name) => {
    expect(resolve(options)).toThrow(`TenantModule.forRoot({ ${name} }) must be an object with`);
  });

  it.each([
    [{ verify: { principal, required: 'true' } }, 'verify.required'],
    [{ errors: { opaque: 1 } }, 'errors.opaque'],
    [{ path: { strip: 'yes' } }, 'path.strip'],
    [{ trust: { forwardedHost: 'true' } }, 'trust.forwardedHost'],
  ])('take true or false for a switch: %j', (options, name) => {
    expect(resolve(options)).toThrow(`${name} is`);
  });

  it('take each option there is', () => {
    const all = {
      strategy: [
        'header',
        () => 'a',
        { type: 'header', header: 'x-a' },
        { type: 'query', queryParam: 'a' },
        { type: 'subdomain', baseDomains: ['a.b'], reserved: ['www'], level: 'single' },
        { type: 'path', after: '/a', segment: 1, reserved: ['b'], strip: false },
        { type: 'function', name: 'own', resolve: () => 'a' },
      ],
      subdomain: { baseDomains: ['a.b'], reserved: [], level: 'first' },
      path: { after: '', segment: 0, reserved: [], strip: false },
      identifier: { pattern: /a/, maxLength: 1, normalize: (id: string) => id },
      trust: { header: true, forwardedHost: false },
      store: { find: () => null, list: () => [] },
      cache: { ttlMs: 1, negativeTtlMs: 1, max: 1 },
      verify: { principal, required: true },
      errors: { opaque: true },
      hooks: { resolved: principal, rejected: principal, central: principal },
    };
    expect(resolve(all)).not.toThrow();
    expect(resolve({ cache: false, verify: undefined })).not.toThrow();
  });
});
