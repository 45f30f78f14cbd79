import type { JWK } from 'jose';
import type { OauthBridgeStore } from './bridge-store.js';
import type { Sealer } from './sealer.js';

const KEY = 'signing-keys';

/** Ten years, which is practically unlimited. */
const TTL_MS = 315_360_000_000;

/**
 * The private keys that sign access tokens. The first process creates the keys and stores them
 * encrypted. The other processes read the keys.
 */
export class SigningKeys {
  /** Reads the keys, or creates and stores them. */
  static async load(
    jose: typeof import('jose'),
    store: OauthBridgeStore,
    sealer: Sealer,
  ): Promise<SigningKeys> {
    const present = await SigningKeys.stored(store, sealer);
    if (present) return present;
    const { privateKey } = await jose.generateKeyPair('ES256', { extractable: true });
    const jwk = await jose.exportJWK(privateKey);
    const kid = await jose.calculateJwkThumbprint(jwk);
    const jwks = { keys: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }] };
    const sealed = await sealer.seal(KEY, jwks);
    const made = new SigningKeys(jwks, sealed, store);
    if (await store.add(KEY, sealed, TTL_MS)) return made;
    const other = await SigningKeys.stored(store, sealer);
    if (other) return other;
    // The stored keys cannot be decrypted, because their secret was removed. New keys make the old
    // tokens invalid, so clients log in again.
    await store.set(KEY, sealed, TTL_MS);
    return made;
  }

  private static async stored(
    store: OauthBridgeStore,
    sealer: Sealer,
  ): Promise<SigningKeys | undefined> {
    const sealed = await store.get(KEY);
    if (sealed === undefined) return undefined;
    const jwks = (await sealer.open(KEY, sealed)) as { keys: JWK[] } | undefined;
    if (jwks === undefined) return undefined;
    if (sealer.isCurrent(sealed)) return new SigningKeys(jwks, sealed, store);
    // Encrypted again, so the keys stay readable after their secret is removed.
    const renewed = await sealer.seal(KEY, jwks);
    await store.set(KEY, renewed, TTL_MS);
    return new SigningKeys(jwks, renewed, store);
  }

  private constructor(
    readonly jwks: { keys: JWK[] },
    private readonly sealed: string,
    private readonly store: OauthBridgeStore,
  ) {}

  /**
   * Stores the keys again if the store was emptied. Returns false if another process already stored
   * new keys. The new keys must then be used.
   */
  async areStored(): Promise<boolean> {
    const stored = await this.store.get(KEY);
    if (stored !== undefined) return stored === this.sealed;
    return this.store.add(KEY, this.sealed, TTL_MS);
  }
}
