import type { OauthBridgeStore } from './bridge-store.js';
import type { UpstreamTokens, UpstreamUser } from './oauth-bridge.options.js';
import type { Sealer } from './sealer.js';

/** A user who logged in, with the tokens of the upstream provider. */
export interface Account {
  readonly user: UpstreamUser;
  readonly tokens: UpstreamTokens;
}

/** Stores accounts, encrypted. An account is deleted when its last refresh token has expired. */
export class Accounts {
  constructor(
    private readonly store: OauthBridgeStore,
    private readonly sealer: Sealer,
    private readonly ttlMs: number,
  ) {}

  async save(account: Account): Promise<void> {
    const { id } = account.user;
    await this.store.set(keyOf(id), await this.sealer.seal(keyOf(id), account), this.ttlMs);
  }

  async find(id: string): Promise<Account | undefined> {
    const sealed = await this.store.get(keyOf(id));
    if (sealed === undefined) return undefined;
    return (await this.sealer.open(keyOf(id), sealed)) as Account | undefined;
  }

  /** Extends the lifetime of an account. Called when a refresh token was used. */
  keep(id: string): Promise<void> {
    return this.store.extend(keyOf(id), this.ttlMs);
  }
}

function keyOf(id: string): string {
  return `account:${id}`;
}
