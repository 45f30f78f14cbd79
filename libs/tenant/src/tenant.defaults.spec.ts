import { describe, expect, it } from '@jest/globals';
import { resolveTenantOptions } from './tenant.defaults.js';
import { TenantOptionError } from './tenant.errors.js';

const resolve = (options: object) => () => resolveTenantOptions({ strategy: 'header', ...options });
const principal = () => 'acme';
const find = () => null;
class ByToken {}

describe('the options of TenantModule', () => {
  it.each([
    [{ verfy: { principal } }, '{ verfy }', 'verify'],
    [{ verify: { principal, requird: true } }, '{ verify.requird }', 'required'],
    [{ errors: { opaqe: true } }, '{ errors.opaqe }', 'opaque'],
    [{ trust: { headers: false } }, '{ trust.headers }', 'header'],
    [{ identifier: { patern: /a/ } }, '{ identifier.patern }', 'pattern'],
    [{ subdomain: { baseDomain: ['a.b'] } }, '{ subdomain.baseDomain }', 'baseDomains'],
    [{ path: { stripp: true } }, '{ path.stripp }', 'strip'],
    [{ cache: { ttl: 5 } }, '{ cache.ttl }', 'ttlMs'],
    [{ budget: { connection: 5 } }, '{ budget.connection }', 'connections'],
    [{ hooks: { reject: () => undefined } }, '{ hooks.reject }', 'rejected'],
    [{ strategy: ['query', { type: 'path', strpi: true }] }, '{ strategy.strpi }', 'strip'],
  ])('take no misspelt name: %j', (options, place, nearest) => {
    expect(resolve(options)).toThrow(
      `TenantModule.forRoot(${place}) is not an option. Did you mean ${nearest}? The options are`,
    );
  });

  it.each([
    [{ hooks: { toString: principal } }, '{ hooks.toString }'],
    [{ strategy: { type: 'header', name: 'x-org' } }, '{ strategy.name }'],
  ])('take no other name: %j', (options, place) => {
    expect(resolve(options)).toThrow(
      `TenantModule.forRoot(${place}) is not an option. The options are`,
    );
  });

  it.each<[object, string]>([
    [{ verify: true }, 'verify }) is true, but must be an object with principal, required'],
    [{ errors: 'opaque' }, 'errors }) is "opaque", but must be an object with opaque'],
    [
      { cache: true },
      'cache }) is true, but must be an object with ttlMs, negativeTtlMs, max or false',
    ],
    [{ trust: null }, 'trust }) is null, but must be an object with'],
    [{ path: [] }, 'path }) is an empty list, but must be an object with'],
    [
      { verify: { principal, required: 'true' } },
      'verify.required }) is "true", but must be true or',
    ],
    [{ errors: { opaque: 1 } }, 'errors.opaque }) is 1, but must be true or false'],
    [{ path: { strip: 'yes' } }, 'path.strip }) is "yes", but must be true or false'],
    [{ trust: { forwardedHost: 'true' } }, 'trust.forwardedHost }) is "true", but must be true or'],
    [{ trust: { header: '10.0.0.1' } }, 'trust.header }) is "10.0.0.1", but must be true, false,'],
    [{ hooks: { resolved: 'x' } }, 'hooks.resolved }) is "x", but must be a function'],
    [{ store: {} }, 'store.find }) is undefined, but must be a function'],
    [{ store: { find, list: 7 } }, 'store.list }) is 7, but must be a function'],
    [{ store: 'redis' }, 'store }) is "redis", but must be an object with these functions: find'],
    [
      { invalidations: { start: find, send: find } },
      'invalidations.stop }) is undefined, but must',
    ],
    [{ onTenantNotFound: 'acme' }, 'onTenantNotFound }) is "acme", but must be a function'],
    [{ verify: { required: true } }, 'verify.principal }) is undefined, but must be a function'],
    [{ combine: 'any' }, `combine }) is "any", but must be 'first' or 'agree'`],
    [{ mode: 'centrl' }, `mode }) is "centrl", but must be 'tenant', 'universal' or 'central'`],
    [
      { subdomain: { level: 'top' } },
      `subdomain.level }) is "top", but must be 'first', 'last' or`,
    ],
    [
      { subdomain: { baseDomains: 'a.b' } },
      'subdomain.baseDomains }) is "a.b", but must be a list',
    ],
    [{ path: { segment: -1 } }, 'path.segment }) is -1, but must be a whole number of at least 0'],
    [{ identifier: { pattern: '^a$' } }, 'identifier.pattern }) is "^a$", but must be a regular'],
    [{ identifier: { maxLength: Infinity } }, 'identifier.maxLength }) is Infinity, but must be a'],
    [{ identifier: { normalize: 'lower' } }, 'identifier.normalize }) is "lower", but must be a'],
    [{ cache: { ttlMs: -1 } }, 'cache.ttlMs }) is -1, but must be a number of milliseconds'],
    [{ cache: { negativeTtlMs: NaN } }, 'cache.negativeTtlMs }) is NaN, but must be a number of'],
    [{ cache: { max: 0 } }, 'cache.max }) is 0, but must be a whole number of at least 1'],
    [{ budget: { connections: 0 } }, 'budget.connections }) is 0, but must be a whole number of'],
    [
      { budget: { connections: 1, waitMs: '5s' } },
      'budget.waitMs }) is "5s", but must be a number',
    ],
    [
      { strategy: { type: 'function', name: 'own' } },
      'strategy.resolve }) is undefined, but must be a function',
    ],
    [
      { strategy: ['header', ByToken] },
      'strategy }) is the class ByToken, but must be a function (req) => identifier.',
    ],
    [{ store: ByToken }, 'store }) is the class ByToken, but must be an instance or a function.'],
  ])('take no wrong value: %j', (options, message) => {
    expect(resolve(options)).toThrow(TenantOptionError);
    expect(resolve(options)).toThrow(`TenantModule.forRoot({ ${message}`);
  });

  it.each([
    ['header', '"header"'],
    [null, 'null'],
    [['header'], 'a list'],
  ])('are an object, not %j', (options, given) => {
    expect(() => resolveTenantOptions(options as never)).toThrow(
      `TenantModule.forRoot() is ${given}, but must be an object with strategy, header`,
    );
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
