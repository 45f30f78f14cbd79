import { requiredScope } from '../../scope/tenant-scope.js';
import { tenantStatement } from './mariadb-sql.js';

/**
 * A pooled connection of `mysql2/promise` or `mariadb`. The type has only the methods used here.
 */
export interface MariadbConnection {
  query(sql: string): PromiseLike<unknown>;
  /**
   * Sends COM_RESET_CONNECTION. This ends the transaction, and clears variables and temporary
   * tables.
   */
  reset(): PromiseLike<unknown>;
  release(): unknown;
  destroy(): void;
}

/** A pool of `mysql2/promise` or `mariadb`. */
export interface MariadbPool<C extends MariadbConnection> {
  getConnection(): PromiseLike<C>;
}

/**
 * Runs a function with a connection for the current tenant. Afterwards, the connection is reset and
 * released. The reset removes all data of the tenant. If the reset fails, the connection is closed.
 * Inside `runCentral()`, views show no rows.
 *
 * @example
 * ```ts
 * const notes = await withTenantConnection(pool, (connection) => connection.query('select * from note'));
 * ```
 * @throws TenantContextMissingError if there is no tenant
 */
export async function withTenantConnection<C extends MariadbConnection, R>(
  pool: MariadbPool<C>,
  run: (connection: C) => R,
): Promise<Awaited<R>> {
  const scope = requiredScope('A connection');
  const connection = await pool.getConnection();
  try {
    await connection.query(tenantStatement(scope.kind === 'tenant' ? scope.tenant.tenantId : ''));
    return await run(connection);
  } finally {
    await giveBack(connection);
  }
}

/** Resets the connection, because the tenant's variable remains after ROLLBACK and release. */
async function giveBack(connection: MariadbConnection): Promise<void> {
  try {
    await connection.reset();
  } catch {
    connection.destroy();
    return;
  }
  await connection.release();
}
