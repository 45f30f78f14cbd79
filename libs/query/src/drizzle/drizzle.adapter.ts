import { getTableColumns, is, type SQL, Table } from './drizzle-orm.js';
import { type KeysetOptions, keysetPage, keysetQuery } from '../cursor/keyset-page.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { orderOf, whereOf } from './conditions.js';
import { sourceOf } from './drizzle-column.js';
import { type DrizzleQueryConfig, drizzleSpecOf } from './drizzle-config.js';

/** The parts of a `select()` or of a relational query. */
export interface DrizzleQuery {
  /** Undefined if there are no conditions. Also for the count: `db.$count(tasks, where)`. */
  readonly where: SQL | undefined;
  readonly orderBy: SQL[];
  readonly limit: number;
  readonly offset: number;
}

/** The parts of a page by cursor. */
export interface DrizzleKeysetQuery extends Omit<DrizzleQuery, 'offset'> {
  /** The cursor of the page that starts after this row. */
  readonly cursorOf: (row: object) => string;
}

/** The adapter of Drizzle. */
export interface DrizzleAdapter extends CheckingAdapter<DrizzleQuery, DrizzleQueryConfig> {
  /**
   * A page by signed cursor instead of page number. `read` defaults to the property named as the field, else to the
   * property of the column in its table, as `select()` returns it.
   */
  buildKeyset(
    parsed: AnyParsedQuery,
    config: DrizzleQueryConfig,
    options: KeysetOptions,
  ): DrizzleKeysetQuery;
}

/**
 * Translates queries for Drizzle, with tables of PostgreSQL, MySQL and SQLite.
 *
 * @throws InvalidQueryError for values that do not fit their columns, and for invalid cursors
 * @throws InvalidQueryConfigError
 * @example
 * ```ts
 * const { where, orderBy, limit, offset } = drizzleAdapter.build(parsed, { columns: { status: tasks.status } });
 * const data = await db.select().from(tasks).where(where).orderBy(...orderBy).limit(limit).offset(offset);
 * ```
 */
export const drizzleAdapter: DrizzleAdapter = {
  name: 'drizzle',
  check: (config) => void drizzleSpecOf(config),
  build(parsed, config) {
    const { spec, related } = drizzleSpecOf(config);
    const query = resolveQuery(parsed, spec);
    const { limit, offset } = query.pagination;
    return { where: whereOf(query, related), orderBy: query.sort.flatMap(orderOf), limit, offset };
  },
  buildKeyset(parsed, config, options) {
    const { spec, related } = drizzleSpecOf(config);
    const query = keysetQuery(resolveQuery(parsed, spec), options);
    const page = keysetPage(query, { ...options, read: options.read ?? selectedValue });
    return {
      where: whereOf(query, related, page.where),
      orderBy: query.sort.flatMap(orderOf),
      limit: query.pagination.limit,
      cursorOf: (row) => page.cursorOf(row),
    };
  },
};

function selectedValue(row: object, { field, column }: ResolvedSort): unknown {
  const record = row as Record<string, unknown>;
  if (Object.hasOwn(record, field)) return record[field];
  const source = sourceOf(column);
  const columns = is(source.table, Table) ? Object.entries(getTableColumns(source.table)) : [];
  const [property] = columns.find(([, own]) => own === source) ?? [source.name];
  return record[property];
}
