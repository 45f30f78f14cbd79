import { pgQuery, type RlsQuery } from '../databases/rls/rls-query.js';

/** A session of the central database. */
export interface TenantLedgerSession {
  readonly query: RlsQuery;
  /**
   * Aborts if the connection is lost, because the database then releases the locks of the session.
   * @default none: the next query detects the loss
   */
  readonly lost?: AbortSignal;
  /** Ends the session and releases the locks of the session. */
  release(): void | Promise<void>;
}

/** Connection to the central PostgreSQL database. This database contains the ledger. */
export interface TenantLedgerConnection {
  /**
   * Opens a separate session. The connection must be direct. With PgBouncer in transaction mode,
   * each statement may use another session, so locks do not work.
   */
  connect(): Promise<TenantLedgerSession>;
  /**
   * `shared` means that `connect()` always returns the same session, as in PGlite. Locks then only
   * work in this process.
   * @default 'separate'
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
 * Stores the ledger in PostgreSQL, through a node-postgres pool. Calls that run at the same time
 * share one connection. The first call briefly uses a second connection.
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
      // Needed while the client is checked out of the pool. An 'error' event without a listener
      // would end the process.
      client.on('error', (error) => lost.abort(error));
      client.on('end', () => lost.abort(new Error('The connection has ended')));
      return {
        query: pgQuery(client),
        lost: lost.signal,
        // Destroys the connection, because it may still have locks.
        release: () => client.release(true),
      };
    },
  };
}

/**
 * Stores the ledger in PGlite, or in another object with one connection and `query()`. Locks only
 * work in this process.
 */
export function singleConnectionLedger(client: {
  query(sql: string, params: never): PromiseLike<unknown>;
}): TenantLedgerConnection {
  const session: TenantLedgerSession = { query: pgQuery(client), release: () => undefined };
  return { sessions: 'shared', connect: () => Promise.resolve(session) };
}
