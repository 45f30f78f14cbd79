import type { RlsRow } from '../databases/rls/rls-query.js';
import { describeError } from './error-facts.js';
import { TenantLockLostError } from './lifecycle.errors.js';
import { BEGIN, CREATE_TABLE, FINISH, SELECT, TABLE } from './ledger-sql.js';
import { readBackend, type LedgerSession } from './ledger-session.js';

/** The central database's tenant id in the ledger. Ids of tenants are never empty. */
export const CENTRAL = '';

/** A row of the ledger. */
export interface LedgerEntry {
  readonly tenant: string;
  readonly step: string;
  readonly target: string;
  /** `interrupted` means that the step did not finish and no process holds the tenant's lock. */
  readonly status: 'running' | 'done' | 'failed' | 'interrupted';
  readonly attempt: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly errorCode?: string;
  readonly error?: string;
}

export interface StepKey {
  readonly tenant: string;
  readonly step: string;
}

/** Maximum length of an error message. The rest is removed. */
const MAX_ERROR_LENGTH = 2_000;

/** The table of steps, and the locks of tenants. Both use one session. */
export class TenantLedger {
  private constructor(
    readonly session: LedgerSession,
    /** The server process that holds the locks. */
    readonly backend: string,
    private readonly runId: string,
  ) {}

  /** @param runId a UUID. All entries of this run contain it */
  static async of(session: LedgerSession, runId: string): Promise<TenantLedger> {
    const backend = await readBackend(session).catch((error: unknown) => {
      // Other calls share the session. They must stop, and later calls must open a new session.
      session.lose(error);
      throw error;
    });
    return new TenantLedger(session, backend, runId);
  }

  /** If the table exists, no privilege to create tables is required. */
  async prepare(): Promise<void> {
    if (await this.exists()) return;
    const lock = `hashtextextended('fledge:tenant-ledger', 0)`;
    // Two sessions may create the table at the same time. One of them fails, despite IF NOT EXISTS.
    await this.session.query(`select pg_advisory_lock(${lock})::text`);
    try {
      await this.session.query(CREATE_TABLE);
    } finally {
      await this.session.query(`select pg_advisory_unlock(${lock})`);
    }
  }

  /** Returns an empty list if there is no table yet. */
  async entries(step?: string): Promise<LedgerEntry[]> {
    if (!(await this.exists())) return [];
    const rows =
      step === undefined
        ? await this.session.query(SELECT)
        : await this.session.query(`${SELECT} where s.step = $1`, step);
    return rows.map(entryOf);
  }

  async entry({ tenant, step }: StepKey): Promise<LedgerEntry | undefined> {
    const where = 'where s.tenant_id = $1 and s.step = $2';
    const [row] = await this.session.query(`${SELECT} ${where}`, tenant, step);
    return row && entryOf(row);
  }

  /** Returns the number of the attempt. */
  async begin({ tenant, step }: StepKey, target: string): Promise<number> {
    const [row] = await this.session.query(BEGIN, tenant, step, target, this.runId);
    return Number(row?.['attempt']);
  }

  /** @throws TenantLockLostError if another run has started the step meanwhile */
  async finish({ tenant, step }: StepKey, end: { readonly error?: unknown }): Promise<void> {
    const failed = 'error' in end;
    const { code = '', message } = describeError(end.error);
    const [row] = await this.session.query(
      FINISH,
      ...[tenant, step, this.runId, this.backend, failed ? 'failed' : 'done'],
      ...(failed ? [stored(code), stored(message)] : ['', '']),
    );
    if (row === undefined) throw this.lost();
  }

  /** @param except a step whose entry is kept */
  async forget(tenant: string, except = ''): Promise<void> {
    const where = 'where tenant_id = $1 and step <> $2';
    await this.session.query(`delete from ${TABLE} ${where}`, tenant, except);
  }

  private async exists(): Promise<boolean> {
    const [row] = await this.session.query(`select to_regclass('${TABLE}')::text as found`);
    return row?.['found'] != null;
  }

  /** Returns the error for a session that changed between two statements. The locks are lost. */
  lost(): TenantLockLostError {
    this.session.lose(new Error('The session changed between two statements'));
    return this.session.lost.reason as TenantLockLostError;
  }
}

function entryOf(row: RlsRow): LedgerEntry {
  const text = (name: string) => row[name] as string | null;
  const [finishedAt, errorCode, error] = ['finished_at', 'error_code', 'error'].map(text);
  return {
    tenant: String(row['tenant_id']),
    step: String(row['step']),
    target: String(row['target']),
    status: row['status'] as LedgerEntry['status'],
    attempt: Number(row['attempt']),
    startedAt: String(row['started_at']),
    ...(finishedAt != null && { finishedAt }),
    ...(errorCode != null && { errorCode }),
    ...(error != null && { error }),
  };
}

/** PostgreSQL cannot store NUL characters in text. */
function stored(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH);
}
