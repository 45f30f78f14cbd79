import { randomUUID } from 'node:crypto';
import { LedgerSession, requireLastingSessions } from './ledger-session.js';
import type { TenantLedgerConnection } from './ledger-connection.js';
import { TenantLedger } from './tenant-ledger.js';

/** Opens the ledger, one session for each call. */
export class LedgerDoor {
  private checked: Promise<void> | undefined;

  constructor(private readonly connection: TenantLedgerConnection) {}

  /**
   * Opens the ledger while a function runs.
   * @param access `read` neither needs nor creates the table
   * @throws TenantLedgerPooledError
   */
  async open<R>(access: 'read' | 'write', run: (ledger: TenantLedger) => Promise<R>): Promise<R> {
    await this.check();
    const session = await LedgerSession.open(this.connection);
    try {
      const ledger = await TenantLedger.of(session, randomUUID());
      if (access === 'write') await ledger.prepare();
      return await run(ledger);
    } finally {
      await session.close();
    }
  }

  /** Once, unless it fails: the connection stays what it is. */
  private check(): Promise<void> {
    this.checked ??= requireLastingSessions(this.connection).catch((error: unknown) => {
      this.checked = undefined;
      throw error;
    });
    return this.checked;
  }
}
