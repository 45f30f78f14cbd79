import {
  atLeast,
  callback,
  count,
  kind,
  milliseconds,
  oneOf,
  type OptionTable,
  readOptions,
  texts,
} from '@fledge-internal/options';
import type { FactoryProvider, InjectionToken } from '@nestjs/common';
import { placeOf } from '../option-rules.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantOptionError } from '../tenant.errors.js';

/** A provider with one instance per tenant. Singletons inject a proxy. */
export interface TenantProvider<T extends object = object> {
  /** Token that singletons inject. */
  readonly provide: InjectionToken;
  /** Dependencies passed to `useFactory` after the tenant. @default [] */
  readonly inject?: FactoryProvider['inject'];
  /**
   * Creates the instance of a tenant when the tenant's first request or `tenancy.run()` begins.
   * Concurrent requests wait for it. If it fails, they get its error, and the next request tries
   * again.
   */
  // `any` as in Nest's own factories: `inject` determines the arguments.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly useFactory: (tenant: TenantContext, ...deps: any[]) => T | Promise<T>;
  /** Closes an instance that is no longer used. Errors are logged. @default does nothing */
  // A method, because method parameters are bivariant: a list may mix providers of several types.
  dispose?(instance: T, tenant: TenantContext): unknown;
  /** `function` if instances are called like a function, as with Knex. @default 'object' */
  readonly type?: 'object' | 'function';
  /**
   * Maximum number of instances. The least recently used one is disposed first. Exceeded while all
   * are in use.
   * @default 100
   */
  readonly max?: number;
  /** Milliseconds for which an unused instance is kept. @default 300_000 */
  readonly idleMs?: number;
  /**
   * Maximum number of connections that an instance opens, such as the `max` of its pool. Counted in
   * `budget` of `TenantModule.forRoot()`. Required for connections if there is a budget.
   * @default 0 in `forFeature()`
   */
  readonly connections?: number;
  /** Identifiers of tenants whose instances are created at startup. @default [] */
  readonly warm?: readonly string[];
}

/** Rules of the options that `TenantConnectionsModule` shares. */
export const SHARED_RULES = {
  provide: kind<InjectionToken>('a token, such as a string, a symbol or a class', (value) =>
    ['string', 'symbol', 'function'].includes(typeof value),
  ).required,
  inject: kind<NonNullable<TenantProvider['inject']>>('a list of tokens', Array.isArray).default(
    [],
  ),
  type: oneOf('object', 'function').default('object'),
  max: count.default(100),
  idleMs: milliseconds.default(300_000),
  connections: atLeast(0).optional,
  warm: texts.default([]),
};

const PROVIDER = {
  ...SHARED_RULES,
  useFactory: callback<TenantProvider['useFactory']>().required,
  dispose: callback<NonNullable<TenantProvider['dispose']>>().optional,
} satisfies OptionTable<TenantProvider>;

/** Options of a pool, with the defaults applied. */
export interface TenantPoolOptions<T extends object> {
  /** Name of the token, for error messages. */
  readonly name: string;
  readonly type: 'object' | 'function';
  readonly max: number;
  readonly idleMs: number;
  readonly create: (tenant: TenantContext) => T | Promise<T>;
  readonly dispose: (instance: T, tenant: TenantContext) => unknown;
}

/**
 * Checks a provider and applies the defaults.
 * @throws TenantOptionError
 */
export function readProvider<T extends object>(
  provider: TenantProvider<T>,
  deps: readonly unknown[] = [],
): TenantPoolOptions<T> {
  const name = nameOfToken(provider.provide);
  const place = placeOf('TenantModule.forFeature', name);
  const { type, max, idleMs, warm } = readOptions(provider, PROVIDER, place);
  if (warm.length > max) {
    throw new TenantOptionError(
      `${name} lists ${warm.length} tenants in \`warm\`, but \`max\` is ${max}. Raise \`max\` or remove tenants from \`warm\`.`,
    );
  }
  return {
    name,
    type,
    max,
    idleMs,
    create: (tenant) => provider.useFactory(tenant, ...deps),
    dispose: (instance, tenant) => provider.dispose?.(instance, tenant),
  };
}

function nameOfToken(token: InjectionToken): string {
  if (typeof token === 'function') return token.name;
  return typeof token === 'symbol' ? (token.description ?? 'a symbol') : token;
}
