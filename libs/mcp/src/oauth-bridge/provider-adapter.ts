import type { Adapter, AdapterPayload, errors } from 'oidc-provider';
import type { OauthBridgeStore } from './bridge-store.js';

/** Kinds of records that can be used only once. */
const USED_ONCE = new Set(['AuthorizationCode', 'RefreshToken']);

/** Milliseconds until an unused registered client is deleted: 90 days. */
const CLIENT_TTL_MS = 7_776_000_000;

/** Lifetime in milliseconds of a record for which oidc-provider sets no lifetime: one day. */
const DEFAULT_TTL_MS = 86_400_000;

/** Stores one kind of oidc-provider records. */
export class ProviderAdapter implements Adapter {
  constructor(
    private readonly kind: string,
    private readonly store: OauthBridgeStore,
    private readonly InvalidGrant: typeof errors.InvalidGrant,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const key = this.keyOf(id);
    const ttlMs =
      this.kind === 'Client' ? CLIENT_TTL_MS : expiresIn ? expiresIn * 1_000 : DEFAULT_TTL_MS;
    await this.store.set(key, JSON.stringify(payload), ttlMs);
    if (payload.uid !== undefined) await this.store.set(this.keyOfUid(payload.uid), id, ttlMs);
    if (payload.grantId !== undefined && this.kind !== 'Session') {
      await this.store.addToSet(setOf(payload.grantId), key, ttlMs);
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const key = this.keyOf(id);
    const text = await this.store.get(key);
    if (text === undefined) return undefined;
    if (this.kind === 'Client') await this.store.extend(key, CLIENT_TTL_MS);
    const payload = JSON.parse(text) as AdapterPayload;
    const used = USED_ONCE.has(this.kind) ? await this.store.get(usedOf(key)) : undefined;
    return used === undefined ? payload : { ...payload, consumed: Number(used) };
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

  /** @throws InvalidGrant if another request, in any process, has already used the record */
  async consume(id: string): Promise<void> {
    const key = this.keyOf(id);
    const seconds = Math.floor(Date.now() / 1_000);
    if (await this.store.add(usedOf(key), String(seconds), CLIENT_TTL_MS)) return;
    throw new this.InvalidGrant('grant request is invalid');
  }

  async destroy(id: string): Promise<void> {
    await this.store.delete(this.keyOf(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    const members = await this.store.membersOf(setOf(grantId));
    await this.store.delete(...members, setOf(grantId));
  }

  private keyOf(id: string): string {
    return `${this.kind}:${id}`;
  }

  private keyOfUid(uid: string): string {
    return `${this.kind}-uid:${uid}`;
  }
}

function setOf(grantId: string): string {
  return `grant-members:${grantId}`;
}

function usedOf(key: string): string {
  return `used:${key}`;
}
