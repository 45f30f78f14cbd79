import { pgQuery, type RlsQuery } from '../databases/rls/rls-query.js';

/** One session of the central database. */
export interface TenantLedgerSession {
  readonly query: RlsQuery;
  /**
   * Aborts when the connection is lost, because the database then releases its locks.
   * @default detected by the next query
   */
  readonly lost?: AbortSignal;
  /** Ends the session and thereby releases its locks. */
  release(): void | Promise<void>;
}

/** Connection to the central PostgreSQL database, which contains the ledger. */
export interface TenantLedgerConnection {
  /**
   * Opens a separate session. The connection must be direct: with PgBouncer in transaction mode,
   * each statement may use another session, so locks have no effect.
   */
  connect(): Promise<TenantLedgerSession>;
  /**
   * `shared`: `connect()` always returns the same session, as with PGlite. Locks then apply only to
   * this process. @default 'separate'
   */
  readonly sessions?: 'separate' | 'shared';
}

/** A pool of node-postgres, or any object with the same methods. */
export interface TenantLedgerPool {
  connect(): Promise<TenantLedgerClient>;
}

export interface TenantLedgerClient {
  query(sql: string, params: never): PromiseLike<unknown>;
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown;
  release(destroy: boolean): void;
}

/**
 * Stores the ledger through a node-postgres pool. A run uses one connection, and a second one
 * briefly at its start.
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
      // While a client is out of the pool, an 'error' event without a listener would end the
      // process.
      client.on('error', (error) => lost.abort(error));
      client.on('end', () => lost.abort(new Error('The connection has ended')));
      return {
        query: pgQuery(client),
        lost: lost.signal,
        // Destroys the connection, so no lock returns to the pool.
        release: () => client.release(true),
      };
    },
  };
}

/**
 * Stores the ledger in PGlite, or through another object with one connection and `query()`. Locks
 * apply only to this process.
 */
export function singleConnectionLedger(client: {
  query(sql: string, params: never): PromiseLike<unknown>;
}): TenantLedgerConnection {
  const session: TenantLedgerSession = { query: pgQuery(client), release: () => undefined };
  return { sessions: 'shared', connect: () => Promise.resolve(session) };
}
