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

/**
 * A provider with one instance per tenant. Singletons inject a proxy for the current tenant's
 * instance.
 */
export interface TenantProvider<T extends object = object> {
  /** Token that singletons inject. */
  readonly provide: InjectionToken;
  /** Dependencies. `useFactory` receives them after the tenant. @default [] */
  readonly inject?: FactoryProvider['inject'];
  /**
   * Creates the instance of a tenant. It is called when the first request or `tenancy.run()` of the
   * tenant starts. Concurrent requests wait for the result. If the function fails, these requests
   * get the error, and the next request calls the function again.
   */
  // `any`, because `inject` determines the types of the arguments. Nest's factories use `any` too.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly useFactory: (tenant: TenantContext, ...deps: any[]) => T | Promise<T>;
  /** Closes an instance that is no longer used. Errors are logged. @default no action */
  // A method, because method parameters are bivariant: a list may mix providers of several types.
  dispose?(instance: T, tenant: TenantContext): unknown;
  /** Set `function` if instances are called like functions, as with Knex. @default 'object' */
  readonly type?: 'object' | 'function';
  /**
   * Maximum number of instances. If there are more, the least recently used instance is disposed.
   * While all instances are in use, there may be more.
   * @default 100
   */
  readonly max?: number;
  /** Milliseconds after which an unused instance is disposed. @default 300_000 */
  readonly idleMs?: number;
  /**
   * Maximum number of connections that an instance opens, such as the option `max` of a database
   * pool. These connections count in the option `budget` of `TenantModule.forRoot()`.
   * `TenantConnectionsModule` requires this option if there is a budget.
   * @default 0 in `forFeature()`
   */
  readonly connections?: number;
  /** Identifiers of tenants. Their instances are created at startup. @default [] */
  readonly warm?: readonly string[];
}

/** Option rules that `TenantConnectionsModule` also uses. */
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

export interface TenantPoolOptions<T extends object> {
  /** Name of the injection token, for error messages. */
  readonly name: string;
  readonly type: 'object' | 'function';
  readonly max: number;
  readonly idleMs: number;
  readonly create: (tenant: TenantContext) => T | Promise<T>;
  readonly dispose: (instance: T, tenant: TenantContext) => unknown;
}

/** @throws TenantOptionError */
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

export function nameOfToken(token: InjectionToken): string {
  if (typeof token === 'function') return token.name;
  return typeof token === 'symbol' ? (token.description ?? 'a symbol') : token;
}
