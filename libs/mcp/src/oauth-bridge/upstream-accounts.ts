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
    return (await this.read(id))?.account;
  }

  /**
   * Finds an account and extends its lifetime. Called when tokens are issued. An account that
   * an older secret encrypted is encrypted again. Active users therefore stay logged in when that
   * secret is removed.
   */
  async keep(id: string): Promise<Account | undefined> {
    const found = await this.read(id);
    if (found === undefined) return undefined;
    const { sealed, account } = found;
    if (this.sealer.isCurrent(sealed)) await this.store.extend(keyOf(id), this.ttlMs);
    else await this.save(account);
    return account;
  }

  private async read(id: string): Promise<{ sealed: string; account: Account } | undefined> {
    const sealed = await this.store.get(keyOf(id));
    if (sealed === undefined) return undefined;
    const account = (await this.sealer.open(keyOf(id), sealed)) as Account | undefined;
    return account && { sealed, account };
  }
}

function keyOf(id: string): string {
  return `account:${id}`;
}
