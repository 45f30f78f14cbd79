import type { RowOf } from '../config/field-config.js';
import { type SearchHook, searchedBy } from '../config/search-hook.js';
import { type KeysetOptions, keysetPage, keysetQuery } from '../page/keyset-page.js';
import { type CursorPage, withProject } from '../page/row-projection.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { declaredSpec, type RelatedQueryConfig } from '../resolve/declared-columns.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { compareValues } from '../resolve/compare-values.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { pickedRow, rowValueOf } from './row-value.js';
import { planSummary } from '../summary/plan-summary.js';
import type { Summary } from '../summary/summary.js';
import { summarizeRows } from './summarize-rows.js';
import { conditionPredicate, type OwnPredicate, queryPredicate } from './predicate.js';

/**
 * Declares the columns of rows. `parseQuery` also accepts this config. The function `search`
 * returns a predicate for a row: `(text) => (row: Task) => ...`.
 */
export interface MemoryQueryConfig extends RelatedQueryConfig, SearchHook<OwnPredicate> {}

/** Functions that apply a query to rows in memory. */
export interface MemoryQuery<Config = MemoryQueryConfig> {
  /** Returns true if a row matches the filters and the search. */
  predicate(row: object): boolean;
  /**
   * Compares two rows. Pass it to `toSorted`. NULLs are last, or first with `nulls: 'first'` in the
   * config. The primary key is the last sort key.
   */
  comparator(a: object, b: object): number;
  /**
   * Returns the rows of the page, and the total number of matching rows. Each row has only the
   * requested `fields`. `rows` is not changed.
   */
  apply<Row extends object>(rows: readonly Row[]): { data: RowOf<Config, Row>[]; total: number };
}

/** A page with a cursor. */
export interface MemoryKeysetQuery extends CursorPage {
  /** Returns the rows of the page. `rows` is not changed. */
  apply<Row extends object>(rows: readonly Row[]): Row[];
}

/** The adapter of rows in memory. */
export interface MemoryAdapter extends CheckingAdapter<MemoryQuery, MemoryQueryConfig> {
  build<const Config extends MemoryQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
  ): MemoryQuery<Config>;
  /** Like `build`, but with a signed cursor instead of a page number. */
  buildKeyset(
    parsed: AnyParsedQuery,
    config: MemoryQueryConfig,
    options: KeysetOptions,
  ): MemoryKeysetQuery;
  /**
   * Returns the results of `facets`, `aggregate` and `group`. Returns `{}` if the query has none of
   * these parameters.
   */
  summarize(
    parsed: AnyParsedQuery,
    config: MemoryQueryConfig,
    rows: readonly object[],
  ): Promise<Summary>;
}

/**
 * Applies queries to rows in memory. The tests compare all other adapters with this adapter.
 *
 * @throws InvalidQueryError if a value does not fit its column, or if a cursor is invalid
 * @throws InvalidQueryConfigError
 * @example
 * ```ts
 * const config = { columns: { title: 'string', done: 'boolean' }, primaryKey: 'title' } as const;
 * const { data, total } = memoryAdapter.build(parseQuery(req.query, config), config).apply(tasks);
 * ```
 */
export const memoryAdapter: MemoryAdapter = {
  name: 'memory',
  check: (config) => void declaredSpec(config),
  build<Config extends MemoryQueryConfig>(parsed: AnyParsedQuery, config: Config) {
    const query = resolveQuery(parsed, declaredSpec(config));
    const predicate = queryPredicate(query, searchedBy(parsed, config));
    const comparator = rowComparator(query.sort);
    const { offset, limit } = query.pagination;
    const { fields } = query;
    return {
      predicate,
      comparator,
      apply: <Row extends object>(rows: readonly Row[]) => {
        const found = rows.filter(predicate);
        const page = found.toSorted(comparator).slice(offset, offset + limit);
        const data = fields ? page.map((row) => pickedRow(row, fields)) : page;
        return { data: data as RowOf<Config, Row>[], total: found.length };
      },
    };
  },
  buildKeyset(parsed, config, options) {
    const spec = declaredSpec(config);
    const query = keysetQuery(resolveQuery(parsed, spec), spec, options);
    const read = (row: object, { column }: ResolvedSort) => rowValueOf(row, column);
    const page = keysetPage(query, { read, ...options });
    const matches = queryPredicate(query, searchedBy(parsed, config));
    const isAfter = page.where === undefined ? () => true : conditionPredicate(page.where);
    const comparator = rowComparator(query.sort);
    const { fields } = query;
    const found: Omit<MemoryKeysetQuery, 'project'> = {
      apply: (rows) =>
        rows
          .filter((row) => matches(row) && isAfter(row))
          .toSorted(comparator)
          .slice(0, query.pagination.limit),
      cursorOf: (row) => page.cursorOf(row),
    };
    return withProject(found, (row) => (fields ? pickedRow(row, fields) : row));
  },
  async summarize(parsed, config, rows) {
    const plan = planSummary(parsed, declaredSpec(config));
    return plan ? summarizeRows(plan, rows, searchedBy(parsed, config)) : {};
  },
};

/** Compares rows by sort keys. NULLs have the same position in both directions. */
export function rowComparator(sort: readonly ResolvedSort[]): (a: object, b: object) => number {
  return (a, b) => sort.reduce((order, key) => order || orderBy(key, a, b), 0);
}

function orderBy({ column, direction, nulls }: ResolvedSort, a: object, b: object): number {
  const [left, right] = [rowValueOf(a, column), rowValueOf(b, column)];
  if (left === null || right === null) {
    const order = Number(left === null) - Number(right === null);
    return nulls === 'first' ? -order : order;
  }
  const order = compareValues(left, right, column);
  return direction === 'asc' ? order : -order;
}
