import type { SelectQueryBuilder } from 'kysely';

/** MariaDB is `mysql`, SQLite `other`. */
export type Dialect = 'postgres' | 'mysql' | 'other';

/**
 * The dialect of a query. A query builder does not tell it, but the SQL that it compiles to does: MySQL quotes names by
 * backticks, and PostgreSQL numbers its parameters.
 * @returns `mysql`, whose SQL each engine understands, if a plugin refuses the query
 */
export function dialectOf<DB, TB extends keyof DB, O>(qb: SelectQueryBuilder<DB, TB, O>): Dialect {
  try {
    const { sql } = qb.clearSelect().clearWhere().clearOrderBy().limit(1).compile();
    if (sql.includes('`')) return 'mysql';
    return /\$\d/.test(sql) ? 'postgres' : 'other';
  } catch {
    return 'mysql';
  }
}
