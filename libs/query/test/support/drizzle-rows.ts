import type { AnyColumn, Table } from 'drizzle-orm';
import type { PgColumn, PgDatabase, PgQueryResultHKT, PgTable } from 'drizzle-orm/pg-core';
import type { DrizzleQuery, DrizzleSelected } from '../../src/drizzle/index.js';

/** Selects the rows of a page. A page by cursor has no offset. */
export type DrizzleRows = (
  query: Omit<DrizzleQuery, 'offset'> &
    Partial<Pick<DrizzleQuery, 'offset'>> &
    Pick<DrizzleSelected<{ selectable: Record<string, AnyColumn> }>, 'select'>,
) => Promise<{ id: number }[]>;

/** Selects pages of a table. The databases of all dialects have these methods, but their types are unrelated. */
export function drizzleRows(database: object, table: Table): DrizzleRows {
  const db = database as PgDatabase<PgQueryResultHKT>;
  return async ({ select, where, orderBy, limit, offset = 0 }) => {
    const rows = await (select ? db.select(select as Record<string, PgColumn>) : db.select())
      .from(table as PgTable)
      .where(where)
      .orderBy(...orderBy)
      .limit(limit)
      .offset(offset);
    return rows as { id: number }[];
  };
}
