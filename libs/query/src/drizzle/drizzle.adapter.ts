import { and, type SQL } from './drizzle-orm.js';
import { type KeysetOptions, keysetPage } from '../cursor/keyset-page.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { conditionOf, orderOf, whereOf } from './conditions.js';
import { type DrizzleQueryConfig, drizzleSpecOf } from './drizzle-config.js';
import { selectedValue } from './selected-value.js';

/** The parts of a `select()` or a relational query. */
export interface DrizzleQuery {
  /** Undefined when every row will do. The count takes it too: `db.$count(tasks, where)`. */
  readonly where: SQL | undefined;
  readonly orderBy: SQL[];
  readonly limit: number;
  readonly offset: number;
}

/** The parts of a page that starts behind a cursor. */
export interface DrizzleKeysetQuery extends Omit<DrizzleQuery, 'offset'> {
  /** The cursor of the page behind this row. */
  readonly cursorOf: (row: object) => string;
}

export interface DrizzleAdapter extends CheckingAdapter<DrizzleQuery, DrizzleQueryConfig> {
  /** `read` is by default the property of the field, or the one that `select()` gives the column. */
  buildKeyset(
    parsed: AnyParsedQuery,
    config: DrizzleQueryConfig,
    options: KeysetOptions,
  ): DrizzleKeysetQuery;
}

/**
 * Queries for Drizzle, of PostgreSQL, MySQL and SQLite tables alike.
 *
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
    const query = resolveQuery(parsed, drizzleSpecOf(config));
    const { limit, offset } = query.pagination;
    return { where: whereOf(query), orderBy: query.sort.flatMap(orderOf), limit, offset };
  },
  buildKeyset(parsed, config, options) {
    const query = resolveQuery(parsed, drizzleSpecOf(config));
    const page = keysetPage(query, { ...options, read: options.read ?? selectedValue });
    return {
      where: and(whereOf(query), page.where && conditionOf(page.where)),
      orderBy: query.sort.flatMap(orderOf),
      limit: query.pagination.limit,
      cursorOf: (row) => page.cursorOf(row),
    };
  },
};
