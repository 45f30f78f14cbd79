import { kind, type OptionTable, readOptions } from '@fledge-internal/options';
import { CACHE_MANAGER, type Cache } from '@nestjs/cache-manager';
import { Inject, Injectable } from '@nestjs/common';
import { placeOf } from '../../option-rules.js';
import { requiredTenant } from '../../scope/tenant-scope.js';
import {
  endGeneration,
  buildEntryKey,
  readGeneration,
  openGeneration,
} from './cache-generation.js';

/** An entry for `TenantCache.mset()`. */
export interface TenantCacheEntry<T> {
  readonly key: string;
  readonly value: T;
  /** Lifetime in milliseconds. @default the `ttl` of `CacheModule` */
  readonly ttl?: number;
}

/** Options of `TenantCache.wrap()`, as in cache-manager. */
export interface TenantCacheWrapOptions<T> {
  /** Lifetime in milliseconds. @default the `ttl` of `CacheModule` */
  readonly ttl?: number | ((value: T) => number);
  /**
   * Reloads the value in the background if fewer milliseconds are left. @default the
   * `refreshThreshold` of `CacheModule`
   */
  readonly refreshThreshold?: number | ((value: T) => number);
}

const duration = kind<number | ((value: unknown) => number)>(
  'a number of milliseconds, or a function',
  (value) => typeof value === 'number' || typeof value === 'function',
).optional;

const WRAP = {
  ttl: duration,
  refreshThreshold: duration,
} satisfies OptionTable<TenantCacheWrapOptions<unknown>>;

const WRAP_PLACE = placeOf('TenantCache.wrap');

/**
 * The cache of `@nestjs/cache-manager` for the current tenant. Keys belong to the tenant, and
 * `clear()` removes only its entries. Each call reads one entry more than the cache itself: the
 * generation of the tenant's entries, which `clear()` replaces.
 *
 * Each method rejects with TenantContextMissingError without a tenant.
 *
 * @example
 * ```ts
 * @Module({ imports: [CacheModule.register()], providers: [TenantCache, Plans] })
 * ```
 */
@Injectable()
export class TenantCache {
  /**
   * @param cache the cache of `CacheModule`, or a cache created with `createCache()` of
   * cache-manager
   */
  constructor(@Inject(CACHE_MANAGER) private readonly cache: Cache) {}

  /** Returns the value of a key, or undefined. */
  async get<T>(key: string): Promise<T | undefined> {
    const keyed = await this.existing('get');
    return keyed === undefined ? undefined : this.cache.get<T>(keyed(key));
  }

  /** Returns the values of keys, in order. Missing values are undefined. */
  async mget<T>(keys: readonly string[]): Promise<(T | undefined)[]> {
    const keyed = await this.existing('mget');
    if (keyed === undefined || keys.length === 0) return keys.map(() => undefined);
    return this.cache.mget<T>(keys.map(keyed));
  }

  /**
   * Returns when a key expires, in milliseconds since 1970. Returns undefined if it is missing or
   * never expires.
   */
  async ttl(key: string): Promise<number | undefined> {
    const keyed = await this.existing('ttl');
    return keyed === undefined ? undefined : this.cache.ttl(keyed(key));
  }

  /**
   * Stores a value, and returns it.
   * @param ttl milliseconds; zero keeps it until it is deleted @default the `ttl` of `CacheModule`
   */
  async set<T>(key: string, value: T, ttl?: number): Promise<T> {
    const keyed = await this.opened('set');
    await this.cache.set(keyed(key), value, ttl);
    return value;
  }

  /** Stores several values. */
  async mset<T>(entries: readonly TenantCacheEntry<T>[]): Promise<void> {
    const keyed = await this.opened('mset');
    await this.cache.mset(entries.map((entry) => ({ ...entry, key: keyed(entry.key) })));
  }

  /** Deletes a key. */
  async del(key: string): Promise<void> {
    const keyed = await this.existing('del');
    if (keyed !== undefined) await this.cache.del(keyed(key));
  }

  /** Deletes several keys. */
  async mdel(keys: readonly string[]): Promise<void> {
    const keyed = await this.existing('mdel');
    if (keyed !== undefined) await this.cache.mdel(keys.map(keyed));
  }

  /**
   * Returns the value of a key, or loads and stores it. Concurrent calls of one tenant for one key
   * share the `load` of the first call. It runs in the context of the first caller, so load only
   * data that every user of the tenant may see. If `clear()` is called during a load, the loaded
   * value is not found by later calls.
   * @param options options, or the `ttl` in milliseconds
   * @throws TenantOptionError for an invalid option
   * @throws any error of `load`
   */
  async wrap<T>(
    key: string,
    load: () => T | Promise<T>,
    options: TenantCacheWrapOptions<T> | number = {},
  ): Promise<T> {
    const given = typeof options === 'number' ? { ttl: options } : options;
    const { ttl, refreshThreshold } = readOptions(given, WRAP, WRAP_PLACE);
    const keyed = await this.opened('wrap');
    // Passed by position, because the first versions of cache-manager 6 accept no options object.
    return this.cache.wrap(keyed(key), load, ttl, refreshThreshold);
  }

  /**
   * Removes the entries of the current tenant, for every process that shares the store. Values that
   * running calls of `set()` and `wrap()` store afterwards are removed too. Stores other than a Map
   * keep the removed entries until they expire, so set a `ttl`.
   * @throws TenantCacheNotClearedError
   */
  async clear(): Promise<void> {
    await endGeneration(this.cache, tenantOf('clear'));
  }

  /** Returns a function that builds keys for reading. Undefined if the tenant has no entries. */
  private async existing(method: string): Promise<KeyFunction | undefined> {
    const tenantId = tenantOf(method);
    const generation = await readGeneration(this.cache, tenantId);
    return generation === undefined ? undefined : (key) => buildEntryKey(tenantId, generation, key);
  }

  /** Returns a function that builds keys for writing. */
  private async opened(method: string): Promise<KeyFunction> {
    const tenantId = tenantOf(method);
    const generation = await openGeneration(this.cache, tenantId);
    return (key) => buildEntryKey(tenantId, generation, key);
  }
}

type KeyFunction = (key: string) => string;

/** @throws TenantContextMissingError */
function tenantOf(method: string): string {
  return requiredTenant(`TenantCache.${method}()`).tenantId;
}
