import type { JWK } from 'jose';
import type { OauthBridgeStore } from './bridge-store.js';
import type { Sealer } from './sealer.js';

const KEY = 'signing-keys';

/** Ten years: as good as without end. */
const TTL_MS = 315_360_000_000;

/**
 * The private keys that sign access tokens: made by the first process, encrypted in the store, and read by the
 * others.
 */
export async function signingKeysOf(
  jose: typeof import('jose'),
  store: OauthBridgeStore,
  sealer: Sealer,
): Promise<{ keys: JWK[] }> {
  const present = await read(store, sealer);
  if (present) return present;
  const { privateKey } = await jose.generateKeyPair('ES256', { extractable: true });
  const jwk = await jose.exportJWK(privateKey);
  const kid = await jose.calculateJwkThumbprint(jwk);
  const made = { keys: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }] };
  if (await store.add(KEY, await sealer.seal(KEY, made), TTL_MS)) return made;
  const other = await read(store, sealer);
  if (other) return other;
  // Encrypted with a secret that was removed: tokens of these keys end, and clients log in again.
  await store.set(KEY, await sealer.seal(KEY, made), TTL_MS);
  return made;
}

async function read(store: OauthBridgeStore, sealer: Sealer): Promise<{ keys: JWK[] } | undefined> {
  const sealed = await store.get(KEY);
  if (sealed === undefined) return undefined;
  return (await sealer.open(KEY, sealed)) as { keys: JWK[] } | undefined;
}
