import type { Knex } from 'knex';
import { searchedBy } from '../config/search-hook.js';
import { joinedKeyset } from '../page/joined-keyset.js';
import type { KeysetAdapter } from '../page/keyset-page.js';
import { type CursorPage, withProject } from '../page/row-projection.js';
import { joinedSpec } from '../shared-sql/joined-spec.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { readJoinScope } from '../shared-sql/sql-join.js';
import { checkPeer } from '../resolve/supported-peers.js';
import { summarize } from '../summary/read-summary.js';
import type { Summary } from '../summary/summary.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { buildKnexPage, groupReader, type KnexPage, type KnexQueryConfig } from './knex-page.js';

checkPeer('knex', '@fledge/query/knex');

/** Functions that add a query to a query builder. */
export interface KnexQuery extends KnexPage {
  /**
   * Adds the conditions to a query builder without selected columns. Selects `total`, the number of
   * rows on all pages.
   */
  readonly applyCount: (
    qb: Knex.QueryBuilder,
  ) => Knex.QueryBuilder<object, { total: number | string }[]>;
}

/** A page with a cursor. */
export interface KnexKeysetQuery extends KnexPage, CursorPage {}

/** The adapter of Knex. */
export interface KnexAdapter extends KeysetAdapter<KnexQuery, KnexKeysetQuery, KnexQueryConfig> {
  /**
   * Returns the results of `facets`, `aggregate` and `group`. Pass a query builder for the rows,
   * such as `knex('tasks')`. It is not changed. Returns `{}` if the query has none of these
   * parameters.
   */
  summarize(
    parsed: AnyParsedQuery,
    config: KnexQueryConfig,
    rows: Knex.QueryBuilder,
  ): Promise<Summary>;
}

/**
 * Translates queries to Knex, for PostgreSQL, MySQL, MariaDB and SQLite.
 *
 * @throws InvalidQueryError if a value does not fit its column, or if a cursor is invalid
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
  check: (config) => void [joinedSpec(config), readJoinScope(config)],
  build(parsed, config) {
    const query = resolveQuery(parsed, joinedSpec(config));
    const { page, filtered } = buildKnexPage(
      query,
      readJoinScope(config),
      searchedBy(parsed, config),
    );
    return {
      apply: (qb) => {
        void page.apply(qb).offset(query.pagination.offset);
        return qb;
      },
      applyCount: (qb) => filtered(qb).count({ total: '*' }),
    };
  },
  buildKeyset(parsed, config, options) {
    const { query, scope, after, cursorOf, project } = joinedKeyset(parsed, config, options);
    const { page, withSortKeys } = buildKnexPage(query, scope, searchedBy(parsed, config), after);
    const apply: KnexPage['apply'] = (qb) => withSortKeys(page.apply(qb));
    return withProject({ apply, cursorOf }, project);
  },
  async summarize(parsed, config, rows) {
    return summarize(parsed, joinedSpec(config), () =>
      groupReader(rows, readJoinScope(config), searchedBy(parsed, config)),
    );
  },
};
