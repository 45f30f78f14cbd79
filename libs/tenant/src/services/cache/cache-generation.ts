import type { Cache } from '@nestjs/cache-manager';
import { randomBytes } from 'node:crypto';
import { buildKey } from '../../scope/tenant-keys.js';
import { TenantCacheNotClearedError } from '../../tenant.errors.js';

/**
 * Prefix of all keys of `TenantCache`. It contains an `@`. Keys of `tenancy.key()` are always
 * different, because `tenancy.key()` encodes this character. A tenant's id may be the name of a
 * Keyv namespace. The prefix also protects the keys of such a tenant. Keyv adds no prefix to a key
 * that starts with the namespace.
 */
const PREFIX = '@tenant:';

/**
 * Undefined means that the tenant has no entries, or that the store failed. The cache itself treats
 * a failure as a miss.
 */
export async function readGeneration(cache: Cache, tenantId: string): Promise<string | undefined> {
  try {
    const found: unknown = await sharedStoreOf(cache).get(generationKeyOf(tenantId));
    return typeof found === 'string' && found !== '' ? found : undefined;
  } catch {
    return undefined;
  }
}

/** If the tenant has no generation, creates one. */
export async function openGeneration(cache: Cache, tenantId: string): Promise<string> {
  const found = await readGeneration(cache, tenantId);
  if (found !== undefined) return found;
  const store = sharedStoreOf(cache);
  const opening = openings.get(store) ?? new Map<string, Promise<string>>();
  openings.set(store, opening);
  let generation = opening.get(tenantId);
  if (generation === undefined) {
    generation = startGeneration(cache, tenantId).finally(() => opening.delete(tenantId));
    opening.set(tenantId, generation);
  }
  return generation;
}

/**
 * Makes a tenant's entries unreachable. Deletes the entries from stores in this process.
 * @throws TenantCacheNotClearedError if the store did not keep the new generation. Keyv hides the
 * store's own error
 */
export async function endGeneration(cache: Cache, tenantId: string): Promise<void> {
  const before = await readGeneration(cache, tenantId);
  await startGeneration(cache, tenantId);
  // If another call has cleared the cache meanwhile, the store contains the generation of that
  // call.
  const after = await readGeneration(cache, tenantId);
  if (after === undefined || after === before) throw new TenantCacheNotClearedError(tenantId);
  sweepMaps(cache, tenantId, after);
}

async function startGeneration(cache: Cache, tenantId: string): Promise<string> {
  // The generation is random instead of a counter. If a store lost a counter, old entries would be
  // found again.
  const generation = randomBytes(9).toString('base64url');
  // Zero means no expiry. Without this argument, the store's default would apply.
  await sharedStoreOf(cache).set(generationKeyOf(tenantId), generation, 0);
  return generation;
}

/** Returns the key of an entry: `@tenant:acme:<generation>:<key>`. */
export function buildEntryKey(tenantId: string, generation: string, key: string): string {
  return PREFIX + buildKey(tenantId, [generation, key]);
}

/**
 * Needed because Keyv removes an expired entry of a Map only when the entry is read. Other stores
 * remove expired entries themselves.
 */
function sweepMaps(cache: Cache, tenantId: string, generation: string): void {
  const entries = `${generationKeyOf(tenantId)}:`;
  const current = PREFIX + buildKey(tenantId, [generation, '']);
  for (const { store, namespace } of storesOf(cache)) {
    if (!(store instanceof Map)) continue;
    const before = namespace === undefined ? '' : `${namespace}:`;
    for (const key of store.keys() as Iterable<unknown>) {
      if (typeof key !== 'string' || !key.startsWith(before + entries)) continue;
      if (!key.startsWith(before + current)) store.delete(key);
    }
  }
}

/** The key of a generation has two parts less than the key of an entry. */
function generationKeyOf(tenantId: string): string {
  return PREFIX + buildKey(tenantId, []);
}

/** If there are several stores, the processes share the last one. */
function sharedStoreOf(cache: Cache): Keeper {
  return storesOf(cache).at(-1) ?? cache;
}

/** The first versions of cache-manager 6 have no `stores`. */
function storesOf(cache: Partial<Pick<Cache, 'stores'>>): Cache['stores'] {
  return cache.stores ?? [];
}

/** The methods that both a store and the cache have. */
type Keeper = Pick<Cache, 'get' | 'set'> | Cache['stores'][number];

/** Generations that are being created. Concurrent writes for a new tenant share one generation. */
const openings = new WeakMap<Keeper, Map<string, Promise<string>>>();
