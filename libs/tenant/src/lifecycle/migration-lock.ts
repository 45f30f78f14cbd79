import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantLedger } from './tenant-ledger.js';

/** Milliseconds between two attempts to get a lock. */
const POLL_MS = 200;
const KEY = `hashtextextended('fledge:tenant:' || $1, 0)`;

/** Only one process at a time changes a tenant. The session of the ledger holds the locks. */
export class MigrationLock {
  /**
   * @param busy ids of tenants that this process is changing. Needed because all callers may share
   * one session
   */
  constructor(
    private readonly ledger: TenantLedger,
    private readonly busy: Set<string>,
  ) {}

  /** @returns 'locked' if another process has the lock */
  async whileHeld<R>(
    tenant: string,
    lock: 'skip' | 'wait',
    run: () => Promise<R>,
    signal?: AbortSignal,
  ): Promise<R | 'locked'> {
    while (!(await this.take(tenant))) {
      if (lock === 'skip' || signal?.aborted) return 'locked';
      await sleep(POLL_MS);
    }
    try {
      return await run();
    } finally {
      this.busy.delete(tenant);
      const unlock = `select pg_advisory_unlock(${KEY})::text`;
      // If the session was lost, the database has already released the lock.
      await this.ledger.session.query(unlock, tenant).catch(() => undefined);
    }
  }

  private async take(tenant: string): Promise<boolean> {
    if (this.busy.has(tenant)) return false;
    this.busy.add(tenant);
    let isLocked = false;
    try {
      const [row] = await this.ledger.session.query(
        `select pg_try_advisory_lock(${KEY})::text as locked, pg_backend_pid()::text as pid`,
        tenant,
      );
      if (row?.['pid'] !== this.ledger.backend) throw this.ledger.lost();
      isLocked = row['locked'] === 'true';
    } finally {
      if (!isLocked) this.busy.delete(tenant);
    }
    return isLocked;
  }
}
