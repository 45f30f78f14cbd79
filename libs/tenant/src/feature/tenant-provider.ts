import type { FactoryProvider, InjectionToken } from '@nestjs/common';
import type { TenantContext } from '../tenant-context.js';
import { TenantOptionError } from '../tenant.errors.js';

/** A provider of which each tenant has its own instance, behind one object that singletons inject. */
export interface TenantProvider<T extends object = object> {
  readonly provide: InjectionToken;
  /** What `useFactory` gets behind the tenant. @default [] */
  readonly inject?: FactoryProvider['inject'];
  /**
   * Makes the instance of a tenant, when its first request or `tenancy.run()` begins; all who come
   * meanwhile wait for it. What it throws or rejects with they get, and the next one tries again.
   */
  // Nest's own factories take any arguments: what they are is said by `inject`.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly useFactory: (tenant: TenantContext, ...deps: any[]) => T | Promise<T>;
  /** Ends an instance nobody uses any more. What it throws is logged. @default nothing */
  // A method, so that it may name the instance's own type in a list of providers.
  dispose?(instance: T, tenant: TenantContext): unknown;
  /** Whether instances are called as functions, such as knex'. @default 'object' */
  readonly type?: 'object' | 'function';
  /**
   * Instances kept at most. The least recently used that is not in use goes first; while all are in
   * use there may be more.
   * @default 100
   */
  readonly max?: number;
  /** Milliseconds an unused instance is kept. @default 300_000 */
  readonly idleMs?: number;
  /** Tenants whose instances are made at boot, as a request would name them. @default [] */
  readonly warm?: readonly string[];
}

/** What a pool needs to know of a provider, with defaults applied. */
export interface TenantPoolOptions<T extends object> {
  /** Of the token, for errors. */
  readonly name: string;
  readonly type: 'object' | 'function';
  readonly max: number;
  readonly idleMs: number;
  readonly create: (tenant: TenantContext) => T | Promise<T>;
  readonly dispose: (instance: T, tenant: TenantContext) => unknown;
}

/** @throws TenantOptionError */
export function poolOptionsOf<T extends object>(
  provider: TenantProvider<T>,
  deps: readonly unknown[] = [],
): TenantPoolOptions<T> {
  const { type = 'object', max = 100, idleMs = 300_000, warm = [] } = provider;
  const name = nameOfToken(provider.provide);
  if (typeof provider.useFactory !== 'function') {
    throw new TenantOptionError(
      `${name} has no useFactory. Give one that makes a tenant's instance: useFactory: (tenant) => ...`,
    );
  }
  if (!Number.isSafeInteger(max) || max < 1) {
    throw new TenantOptionError(`max of ${name} is ${max}, which is no whole number above 0.`);
  }
  if (typeof idleMs !== 'number' || !(idleMs >= 0)) {
    throw new TenantOptionError(
      `idleMs of ${name} is ${idleMs}, which is no number of milliseconds.`,
    );
  }
  if (warm.length > max) {
    throw new TenantOptionError(
      `${name} is to be warm for ${warm.length} tenants but keeps ${max}. Raise max or warm fewer.`,
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
