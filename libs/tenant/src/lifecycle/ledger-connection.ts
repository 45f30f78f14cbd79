import { pgQuery, type RlsQuery } from '../databases/rls/rls-query.js';

/** One session of the central database. */
export interface TenantLedgerSession {
  readonly query: RlsQuery;
  /** Aborts when the connection is lost, with which the database frees its locks. @default found out by the next query */
  readonly lost?: AbortSignal;
  /** Ends the session and, with it, its locks. */
  release(): void | Promise<void>;
}

/** How to reach the central PostgreSQL database, which has the ledger. */
export interface TenantLedgerConnection {
  /**
   * Opens a session of its own. The connection must be direct: PgBouncer's transaction mode gives each
   * statement another session, so locks do not hold.
   */
  connect(): Promise<TenantLedgerSession>;
  /**
   * `shared`: `connect()` returns the one session there is, as with PGlite. Locks then hold in this
   * process only. @default 'separate'
   */
  readonly sessions?: 'separate' | 'shared';
}

/** A pool of node-postgres, or another with its methods. */
export interface TenantLedgerPool {
  connect(): Promise<TenantLedgerClient>;
}

export interface TenantLedgerClient {
  query(sql: string, params: never): PromiseLike<unknown>;
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown;
  release(destroy: boolean): void;
}

/**
 * Keeps the ledger through a pool of node-postgres. A run takes one connection of it, and a second one
 * for a moment at its start.
 * @example
 * ```ts
 * ledger: pgLedger(new Pool({ connectionString: process.env.DIRECT_DATABASE_URL }))
 * ```
 */
export function pgLedger(pool: TenantLedgerPool): TenantLedgerConnection {
  return {
    async connect() {
      const client = await pool.connect();
      const lost = new AbortController();
      // While a client is out of the pool, an 'error' without a listener would end the process.
      client.on('error', (error) => lost.abort(error));
      client.on('end', () => lost.abort(new Error('The connection has ended')));
      return {
        query: pgQuery(client),
        lost: lost.signal,
        // Destroyed, so that no lock goes back to the pool.
        release: () => client.release(true),
      };
    },
  };
}

/**
 * Keeps the ledger in PGlite, or through another object with one connection and `query()`. Locks hold
 * in this process only.
 */
export function singleConnectionLedger(client: {
  query(sql: string, params: never): PromiseLike<unknown>;
}): TenantLedgerConnection {
  const session: TenantLedgerSession = { query: pgQuery(client), release: () => undefined };
  return { sessions: 'shared', connect: () => Promise.resolve(session) };
}
