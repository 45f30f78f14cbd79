import type { SQL } from './drizzle-orm.js';
import { searchedBy } from '../config/search-hook.js';
import { type KeysetOptions, keysetPage, keysetQuery, sortValueOf } from '../page/keyset-page.js';
import { type Projected, type ProjectRow, withProject } from '../page/row-projection.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { keyValueOf } from '../resolve/json-column.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { withoutMembers } from '../resolve/row-members.js';
import { withFetchedKeys } from '../resolve/selected-fields.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { summarize } from '../summary/read-summary.js';
import type { Summary } from '../summary/summary.js';
import { type DrizzleSummarySource, groupReader } from './summarize-drizzle.js';
import { sourceOf } from './drizzle-column.js';
import { type DrizzleQueryConfig, drizzleSpecOf } from './drizzle-config.js';
import {
  hasProperty,
  propertyOf,
  type DrizzleSelection,
  membersBeside,
  selectedValue,
  selectionOf,
} from './drizzle-member.js';
import { renderOrders, renderWhere } from './render-sql.js';

/** The parts of a `select()` or of a relational query. */
interface DrizzleParts {
  /**
   * Undefined if there are no conditions. Also use the condition to count the rows:
   * `db.$count(tasks, where)`.
   */
  readonly where: SQL | undefined;
  readonly orderBy: SQL[];
  readonly limit: number;
  readonly offset: number;
}

/** The parts of a page with a page number. */
export type DrizzleQuery<Config = DrizzleQueryConfig> = DrizzleParts & DrizzleSelected<Config>;

/** The parts of a page with a cursor. */
export type DrizzleKeysetQuery<Config = DrizzleQueryConfig> = Omit<DrizzleParts, 'offset'> &
  DrizzleSelected<Config> &
  Projected<Config> & {
    /** Returns the cursor for the page after this row. */
    readonly cursorOf: (row: object) => string;
  };

/**
 * The fields that the query parameter `fields` requests. Both properties are missing if the query
 * has no `fields`. The type omits both properties if the config has no `selectable`.
 */
export type DrizzleSelected<Config> = Config extends {
  readonly selectable: infer Members extends object;
}
  ? {
      /** The argument of `db.select(select ?? COLUMNS)`. */
      readonly select?: Partial<Members>;
      /** The option `columns` of a relational query. Contains only columns of the queried table. */
      readonly columns?: Readonly<Partial<Record<keyof Members, true>>>;
    }
  : object;

/** The adapter of Drizzle. */
export interface DrizzleAdapter extends CheckingAdapter<DrizzleQuery, DrizzleQueryConfig> {
  build<const Config extends DrizzleQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
  ): DrizzleQuery<Config>;
  /**
   * Like `build`, but with a signed cursor instead of a page number. By default, `read` returns the
   * property with the name of the field. If the row has no such property, `read` returns the
   * property that contains the column in the rows of `select()`. If the row has both properties with
   * different values, and the table also has a column with the name of the field, `read` throws.
   */
  buildKeyset<const Config extends DrizzleQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
    options: KeysetOptions,
  ): DrizzleKeysetQuery<Config>;
  /**
   * Returns the results of `facets`, `aggregate` and `group`. Returns `{}` if the query has none of
   * these parameters.
   * @param rows a function that selects the rows: `(select, where) =>
   * db.select(select).from(tasks).where(where)`. Combine `where` with your own conditions by
   * `and()`
   */
  summarize(
    parsed: AnyParsedQuery,
    config: DrizzleQueryConfig,
    rows: DrizzleSummarySource,
  ): Promise<Summary>;
}

/**
 * Translates queries to Drizzle, for tables of PostgreSQL, MySQL and SQLite.
 *
 * @throws InvalidQueryError if a value does not fit its column, or if a cursor is invalid
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
  build<Config extends DrizzleQueryConfig>(parsed: AnyParsedQuery, config: Config) {
    const { spec, ...scope } = drizzleSpecOf(config);
    const query = resolveQuery(parsed, spec);
    const { limit, offset } = query.pagination;
    const found = {
      where: renderWhere(query, scope, searchedBy(parsed, config)),
      orderBy: renderOrders(query.sort, scope),
      limit,
      offset,
    };
    return { ...found, ...(selectionOf(query, config, spec) as DrizzleSelected<Config>) };
  },
  buildKeyset<Config extends DrizzleQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
    options: KeysetOptions,
  ) {
    const { spec, ...scope } = drizzleSpecOf(config);
    const query = keysetQuery(resolveQuery(parsed, spec), spec, options);
    const selection = selectionOf(withFetchedKeys(query), config, spec);
    const page = keysetPage(query, { ...options, read: options.read ?? readerOf(selection) });
    const found = {
      where: renderWhere(query, scope, searchedBy(parsed, config), page.where),
      orderBy: renderOrders(query.sort, scope),
      limit: query.pagination.limit,
      ...(selection as DrizzleSelected<Config>),
      cursorOf: (row: object) => page.cursorOf(row),
    };
    const extra = membersBeside(selectionOf(query, config, spec), selection);
    const project: ProjectRow = (row) => withoutMembers(row, extra);
    return withProject(found, project);
  },
  async summarize(parsed, config, rows) {
    const { spec, ...scope } = drizzleSpecOf(config);
    return summarize(parsed, spec, () => groupReader(rows, scope, searchedBy(parsed, config)));
  },
};

function readerOf(selection: DrizzleSelection): (row: object, key: ResolvedSort) => unknown {
  return (row, key) => {
    const source = sourceOf(key.column);
    if (selection.select !== undefined) {
      return keyValueOf(selectedValue(row, source, selection), key.column);
    }
    const { field, column } = key;
    // In a join, a column of another table may have the name of this column's property.
    if (column.json === undefined && Object.hasOwn(row, field) && !hasProperty(source, field)) {
      return (row as Record<string, unknown>)[field];
    }
    return sortValueOf(row, { ...key, column: { ...column, name: propertyOf(source) } });
  };
}
