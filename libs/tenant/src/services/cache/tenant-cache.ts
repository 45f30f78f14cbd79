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
   * If a value expires in fewer milliseconds, the value is loaded again in the background.
   * @default the `refreshThreshold` of `CacheModule`
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
 * `clear()` removes only the tenant's entries. Each call also reads the generation of the tenant's
 * entries. `clear()` replaces this generation.
 *
 * Each method rejects with TenantContextMissingError if there is no tenant.
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
   * Returns the expiry time of a key, in milliseconds since 1970. Returns undefined if the key is
   * missing or never expires.
   */
  async ttl(key: string): Promise<number | undefined> {
    const keyed = await this.existing('ttl');
    return keyed === undefined ? undefined : this.cache.ttl(keyed(key));
  }

  /**
   * Stores a value, and returns it.
   * @param ttl lifetime in milliseconds. Zero means that the value never expires
   * @default the `ttl` of `CacheModule`
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
   * Returns the value of a key. If the key is missing, loads and stores the value. Concurrent calls
   * of one tenant for one key share one call of `load`. This call runs in the context of the first
   * caller. Only load data that every user of the tenant may see. If `clear()` is called during a
   * load, later calls do not find the loaded value.
   * @param options options, or the `ttl` in milliseconds
   * @throws TenantOptionError if an option is invalid
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
    // Two arguments, because the first versions of cache-manager 6 do not accept an object.
    return this.cache.wrap(keyed(key), load, ttl, refreshThreshold);
  }

  /**
   * Removes all entries of the current tenant, for all processes that share the store. Running
   * calls of `set()` and `wrap()` may store values afterwards. These values are also removed. If
   * the store is not a Map, the store keeps the removed entries until they expire. Set a `ttl` for
   * such stores.
   * @throws TenantCacheNotClearedError
   */
  async clear(): Promise<void> {
    await endGeneration(this.cache, tenantOf('clear'));
  }

  /** Creates keys for reading. Returns undefined if the tenant has no entries. */
  private async existing(method: string): Promise<KeyFunction | undefined> {
    const tenantId = tenantOf(method);
    const generation = await readGeneration(this.cache, tenantId);
    return generation === undefined ? undefined : (key) => buildEntryKey(tenantId, generation, key);
  }

  /** Creates keys for writing. */
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
