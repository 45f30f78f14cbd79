import { withDeadline } from '@fledge/core/packages';
import type { RlsRow } from '../databases/rls/rls-query.js';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantLedgerConnection, TenantLedgerSession } from './ledger-connection.js';
import { TenantLedgerPooledError, TenantLockLostError } from './lifecycle.errors.js';

/** Milliseconds to wait for the second connection. The check needs two connections. */
const SECOND_SESSION_MS = 10_000;
/** Number of attempts. A pooler with several servers may return the same server twice. */
const ROUNDS = 3;

/** Sends one statement at a time. Detects a lost connection. */
export class LedgerSession {
  private readonly ended = new AbortController();
  private last: Promise<unknown> = Promise.resolve();

  private constructor(private readonly session: TenantLedgerSession) {
    session.lost?.addEventListener('abort', () => this.lose(session.lost?.reason), { once: true });
    if (session.lost?.aborted) this.lose(session.lost.reason);
  }

  static async open(connection: TenantLedgerConnection): Promise<LedgerSession> {
    return new LedgerSession(await connection.connect());
  }

  /** Aborts with a TenantLockLostError if the connection is lost. */
  get lost(): AbortSignal {
    return this.ended.signal;
  }

  /** @throws TenantLockLostError if the connection is already lost */
  async query(sql: string, ...params: string[]): Promise<readonly RlsRow[]> {
    const answer = this.last.then(() => {
      this.lost.throwIfAborted();
      return this.session.query(sql, params);
    });
    this.last = answer.catch(() => undefined);
    return answer;
  }

  /** Marks the session as lost. All work that needs the session's locks must stop. */
  lose(cause: unknown): void {
    if (!this.lost.aborted) this.ended.abort(new TenantLockLostError(cause));
  }

  async close(): Promise<void> {
    await this.last;
    await this.session.release();
  }
}

/**
 * One session for all calls that run at the same time. With a session per call, many calls could
 * take all connections of a pool. Their steps would then wait for a connection forever.
 */
export class SharedLedgerSession {
  private current: SessionInUse | undefined;

  constructor(private readonly connection: TenantLedgerConnection) {}

  /** The last call closes the session. */
  async use<R>(run: (session: LedgerSession) => Promise<R>): Promise<R> {
    const used = (this.current ??= this.open());
    used.calls += 1;
    try {
      return await run(await used.opened);
    } finally {
      used.calls -= 1;
      if (used.calls === 0) {
        this.forget(used);
        await used.opened.then(
          (session) => session.close(),
          () => undefined,
        );
      }
    }
  }

  private open(): SessionInUse {
    const used = { opened: LedgerSession.open(this.connection), calls: 0 };
    // Calls that start after the connection was lost use a new session.
    used.opened.then(
      ({ lost }) => {
        if (lost.aborted) this.forget(used);
        else lost.addEventListener('abort', () => this.forget(used));
      },
      () => undefined,
    );
    return used;
  }

  private forget(used: SessionInUse): void {
    if (this.current === used) this.current = undefined;
  }
}

interface SessionInUse {
  readonly opened: Promise<LedgerSession>;
  /** Number of calls that use the session. */
  calls: number;
}

/**
 * Rejects a connection if the session changes between statements.
 * @throws TenantLedgerPooledError, TenantOptionError
 */
export async function requireLastingSessions(connection: TenantLedgerConnection): Promise<void> {
  if (connection.sessions === 'shared') return;
  const one = await LedgerSession.open(connection);
  try {
    const other = await secondOf(connection);
    try {
      const [first, second] = [new Set<string>(), new Set<string>()];
      for (let round = 0; round < ROUNDS; round++) {
        first.add(await readBackend(one));
        second.add(await readBackend(other));
      }
      // Different sessions must have different server processes.
      if (new Set([...first, ...second]).size !== 2 || first.size !== 1) {
        throw new TenantLedgerPooledError();
      }
    } finally {
      await other.close();
    }
  } finally {
    await one.close();
  }
}

/** Returns the id of the server process. */
export async function readBackend(session: LedgerSession): Promise<string> {
  const [row] = await session.query('select pg_backend_pid()::text as pid');
  return String(row?.['pid']);
}

async function secondOf(connection: TenantLedgerConnection): Promise<LedgerSession> {
  const opening = LedgerSession.open(connection);
  return withDeadline(opening, SECOND_SESSION_MS, () => {
    opening.then((session) => session.close()).catch(() => undefined);
    return new TenantOptionError(
      `The option \`ledger\` of TenantLifecycleModule did not open a second connection ` +
        `within ${SECOND_SESSION_MS / 1000} s. Allow at least two connections in the pool of ` +
        `\`ledger\`.`,
    );
  });
}
