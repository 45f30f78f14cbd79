import type { Knex } from 'knex';
import { searchedBy } from '../config/search-hook.js';
import { withTextTimestamps } from '../page/cursor-value.js';
import { type KeysetOptions, keysetPage, keysetQuery } from '../page/keyset-page.js';
import { type ProjectRow, projectionByField, withProject } from '../page/row-projection.js';
import { sortValueReader } from '../page/sort-value.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { declaredSpec } from '../resolve/declared-columns.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { withFetchedKeys } from '../resolve/selected-fields.js';
import { sortedColumnsOf } from '../shared-sql/sort-joins.js';
import { checkPeer } from '../resolve/supported-peers.js';
import { type KnexPage, type KnexQueryConfig, buildKnexPage, scopeOf } from './knex-page.js';

checkPeer('knex', '@fledge/query/knex');

/** Adds a query to query builders. */
export interface KnexQuery extends KnexPage {
  /** Adds the conditions to a query builder without columns, and selects the number of rows on all pages as `total`. */
  readonly applyCount: (
    qb: Knex.QueryBuilder,
  ) => Knex.QueryBuilder<object, { total: number | string }[]>;
}

/** A page by cursor. */
export interface KnexKeysetQuery extends KnexPage {
  /** The cursor of the page that starts after this row. */
  readonly cursorOf: (row: object) => string;
  /** Leaves out the sort keys that `fields` does not ask for. Call it after `cursorOf`. Not enumerable. */
  readonly project: ProjectRow;
}

/** The adapter of Knex. */
export interface KnexAdapter extends CheckingAdapter<KnexQuery, KnexQueryConfig> {
  /** A page by signed cursor instead of page number. */
  buildKeyset(
    parsed: AnyParsedQuery,
    config: KnexQueryConfig,
    options: KeysetOptions,
  ): KnexKeysetQuery;
}

/**
 * Translates queries for Knex, on PostgreSQL, MySQL, MariaDB and SQLite.
 *
 * @throws InvalidQueryError for values that do not fit their columns, and for invalid cursors
 * @throws InvalidQueryConfigError
 * @example
 * ```ts
 * const query = knexAdapter.build(parsed, { columns: { id: 'integer', title: 'string' }, primaryKey: 'id' });
 * const data = await query.apply(knex('tasks').select('*'));
 * const [{ total }] = await query.applyCount(knex('tasks'));
 * ```
 */
export const knexAdapter: KnexAdapter = {
  name: 'knex',
  check: (config) => void [declaredSpec(config), scopeOf(config)],
  build(parsed, config) {
    const query = resolveQuery(parsed, declaredSpec(config));
    const { page, filtered } = buildKnexPage(query, scopeOf(config), searchedBy(parsed, config));
    return {
      apply: (qb) => {
        void page.apply(qb).offset(query.pagination.offset);
        return qb;
      },
      applyCount: (qb) => filtered(qb).count({ total: '*' }),
    };
  },
  buildKeyset(parsed, config, options) {
    const query = keysetQuery(resolveQuery(parsed, declaredSpec(config)), options);
    const scope = scopeOf(config);
    const sort = query.sort.map(withTextTimestamps);
    const read = sortValueReader(scope.stepsOf);
    const keyset = keysetPage({ ...query, sort }, { read, ...options });
    const { page, withSortKeys } = buildKnexPage(
      withFetchedKeys(query),
      scope,
      searchedBy(parsed, config),
      keyset.where,
    );
    const found: KnexPage & Pick<KnexKeysetQuery, 'cursorOf'> = {
      apply: (qb) => withSortKeys(page.apply(qb)),
      cursorOf: (row) => keyset.cursorOf(row),
    };
    return withProject(found, projectionByField(query, sortedColumnsOf(sort, scope.stepsOf)));
  },
};
