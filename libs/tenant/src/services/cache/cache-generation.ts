import type { Cache } from '@nestjs/cache-manager';
import { randomBytes } from 'node:crypto';
import { buildKey } from '../../scope/tenant-keys.js';
import { TenantCacheNotClearedError } from '../../tenant.errors.js';

/**
 * Prefix of each key of `TenantCache`. The prefix contains an `@`, which `tenancy.key()` encodes,
 * so it never collides with keys that are written with `tenancy.key()`. The prefix also protects a
 * tenant whose id is the name of a Keyv namespace, because Keyv does not prefix a key that begins
 * with its namespace.
 */
const PREFIX = '@tenant:';

/**
 * Returns the generation of a tenant's entries. Undefined means that the tenant has no entries, or
 * that the store failed. The cache itself also treats a failure as a miss.
 */
export async function readGeneration(cache: Cache, tenantId: string): Promise<string | undefined> {
  try {
    const found: unknown = await sharedStoreOf(cache).get(generationKeyOf(tenantId));
    return typeof found === 'string' && found !== '' ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the generation of a tenant's entries, and creates one if there is none. */
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
 * Makes the entries of a tenant unreachable, and deletes them from stores in this process.
 * @throws TenantCacheNotClearedError if the store did not keep the new generation. Needed because
 * Keyv hides errors
 */
export async function endGeneration(cache: Cache, tenantId: string): Promise<void> {
  const before = await readGeneration(cache, tenantId);
  await startGeneration(cache, tenantId);
  // Another call may have cleared the cache meanwhile, so the generation may differ from the one
  // created here.
  const after = await readGeneration(cache, tenantId);
  if (after === undefined || after === before) throw new TenantCacheNotClearedError(tenantId);
  sweepMaps(cache, tenantId, after);
}

async function startGeneration(cache: Cache, tenantId: string): Promise<string> {
  // Random instead of counted: if a store lost its counter, old entries would be found again.
  const generation = randomBytes(9).toString('base64url');
  // Zero means no expiry; without it the default of the store would apply.
  await sharedStoreOf(cache).set(generationKeyOf(tenantId), generation, 0);
  return generation;
}

/** Returns the key of an entry: `@tenant:acme:<generation>:<key>`. */
export function buildEntryKey(tenantId: string, generation: string, key: string): string {
  return PREFIX + buildKey(tenantId, [generation, key]);
}

/**
 * Deletes the entries of a tenant's earlier generations from stores that are a Map in this process,
 * because Keyv removes an expired entry of a Map only when it is read. Other stores expire entries
 * themselves.
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

/** This key is shorter than the key of an entry, which has two more parts. */
function generationKeyOf(tenantId: string): string {
  return PREFIX + buildKey(tenantId, []);
}

/** Returns the last store, because with several stores it is the one that processes share. */
function sharedStoreOf(cache: Cache): Keeper {
  return storesOf(cache).at(-1) ?? cache;
}

/** The first versions of cache-manager 6 have no `stores`. */
function storesOf(cache: Partial<Pick<Cache, 'stores'>>): Cache['stores'] {
  return cache.stores ?? [];
}

/** The methods that a store and the cache have in common. */
type Keeper = Pick<Cache, 'get' | 'set'> | Cache['stores'][number];

/** Generations that are being created. Concurrent writes for a new tenant share one. */
const openings = new WeakMap<Keeper, Map<string, Promise<string>>>();
