import type { Adapter, AdapterPayload, errors } from 'oidc-provider';
import type { ResolvedBridge } from './bridge-checks.js';
import type { OauthBridgeStore } from './bridge-store.js';

/** Kinds of records that can be used only once. A refresh token works a little longer. */
const USED_ONCE = new Set(['AuthorizationCode', 'RefreshToken']);

/** Minimum milliseconds until an unused registered client is deleted: 90 days. */
const MIN_CLIENT_TTL_MS = 7_776_000_000;

/** Lifetime in milliseconds of a record for which oidc-provider sets no lifetime: one day. */
const DEFAULT_TTL_MS = 86_400_000;

/** Maximum number of records to delete at once. */
const BATCH = 1_000;

/** Stores one kind of oidc-provider records. */
export class ProviderAdapter implements Adapter {
  private readonly store: OauthBridgeStore;
  /** Milliseconds after its first use, in which a record can be used again. */
  private readonly reuseMs: number;
  /** Milliseconds for which a client, and the mark of a used record, are kept. */
  private readonly clientTtlMs: number;
  private readonly refreshTokenTtlMs: number;
  /** The longest lifetime of a record of a grant, in milliseconds. */
  private readonly periodMs: number;

  constructor(
    private readonly kind: string,
    { store, refreshTokenReuseMs, refreshTokenTtlMs, accessTokenTtlMs }: ResolvedBridge,
    private readonly InvalidGrant: typeof errors.InvalidGrant,
  ) {
    this.store = store;
    this.reuseMs = kind === 'RefreshToken' ? refreshTokenReuseMs : 0;
    // A client, and the mark of a used refresh token, must last as long as refresh tokens.
    this.clientTtlMs = Math.max(MIN_CLIENT_TTL_MS, refreshTokenTtlMs);
    this.refreshTokenTtlMs = refreshTokenTtlMs;
    this.periodMs = Math.max(refreshTokenTtlMs, accessTokenTtlMs, DEFAULT_TTL_MS);
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const key = this.keyOf(id);
    const ttlMs =
      this.kind === 'Client' ? this.clientTtlMs : expiresIn ? expiresIn * 1_000 : DEFAULT_TTL_MS;
    await this.store.set(key, JSON.stringify(payload), ttlMs);
    if (payload.uid !== undefined) await this.store.set(this.keyOfUid(payload.uid), id, ttlMs);
    if (payload.grantId !== undefined && this.kind !== 'Session') {
      await this.store.addToSet(this.setsOf(payload.grantId)[0], key, ttlMs);
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const key = this.keyOf(id);
    const text = await this.store.get(key);
    if (text === undefined) return undefined;
    if (this.kind === 'Client') await this.store.extend(key, this.clientTtlMs);
    const payload = JSON.parse(text) as AdapterPayload;
    if (this.kind === 'Grant') return this.extended(key, payload);
    const usedAt = USED_ONCE.has(this.kind) ? await this.store.get(usedOf(key)) : undefined;
    if (usedAt === undefined || this.worksAgain(usedAt)) return payload;
    return { ...payload, consumed: Math.floor(Number(usedAt) / 1_000) };
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const id = await this.store.get(this.keyOfUid(uid));
    return id === undefined ? undefined : this.find(id);
  }

  /**
   * Always undefined, because only the device flow uses user codes, and this server does not offer
   * that flow.
   */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /**
   * @throws InvalidGrant if another request, in any process, has already used the record, and the
   * record cannot be used again
   */
  async consume(id: string): Promise<void> {
    const used = usedOf(this.keyOf(id));
    if (await this.store.add(used, String(Date.now()), this.clientTtlMs)) return;
    const usedAt = await this.store.get(used);
    if (usedAt !== undefined && this.worksAgain(usedAt)) return;
    throw new this.InvalidGrant('grant request is invalid');
  }

  async destroy(id: string): Promise<void> {
    await this.store.delete(this.keyOf(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const set of this.setsOf(grantId)) {
      const members = await this.store.membersOf(set);
      // In batches, because a call with more than about 100,000 parameters fails.
      for (let i = 0; i < members.length; i += BATCH) {
        await this.store.delete(...members.slice(i, i + BATCH));
      }
      await this.store.delete(set);
    }
  }

  /**
   * Extends the lifetime of a grant that is used to issue tokens, so active users stay logged in.
   * The grant is not saved again, because another request may be deleting it.
   */
  private async extended(key: string, payload: AdapterPayload): Promise<AdapterPayload> {
    await this.store.extend(key, this.refreshTokenTtlMs);
    return { ...payload, exp: Math.ceil((Date.now() + this.refreshTokenTtlMs) / 1_000) };
  }

  /**
   * Returns the names of the sets of a grant's records: those of the current period, and those of
   * the period before. Older records have expired. One set would grow as long as a login is used.
   */
  private setsOf(grantId: string): readonly [string, string] {
    const period = Math.floor(Date.now() / this.periodMs);
    return [`grant-members:${grantId}:${period}`, `grant-members:${grantId}:${period - 1}`];
  }

  /** @param usedAt milliseconds since 1970 */
  private worksAgain(usedAt: string): boolean {
    return Date.now() < Number(usedAt) + this.reuseMs;
  }

  private keyOf(id: string): string {
    return `${this.kind}:${id}`;
  }

  private keyOfUid(uid: string): string {
    return `${this.kind}-uid:${uid}`;
  }
}

function usedOf(key: string): string {
  return `used:${key}`;
}
