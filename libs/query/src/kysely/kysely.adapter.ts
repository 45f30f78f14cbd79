import type { SelectQueryBuilder } from 'kysely';
import { searchedBy } from '../config/search-hook.js';
import { joinedKeyset } from '../page/joined-keyset.js';
import type { KeysetOptions } from '../page/keyset-page.js';
import { type CursorPage, withProject } from '../page/row-projection.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { joinedSpec } from '../shared-sql/joined-spec.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { readJoinScope } from '../shared-sql/sql-join.js';
import { summarize } from '../summary/read-summary.js';
import type { Summary } from '../summary/summary.js';
import {
  buildKyselyPage,
  groupReader,
  type KyselyPage,
  type KyselyQueryConfig,
} from './kysely-page.js';
import { sql } from './render-sql.js';

/** Functions that add a query to a query builder. */
export interface KyselyQuery<Config = KyselyQueryConfig> extends KyselyPage<Config> {
  /**
   * Adds the conditions to a query without selected columns. Selects `total`, the number of rows on
   * all pages.
   */
  readonly applyCount: <DB, TB extends keyof DB, O>(
    qb: SelectQueryBuilder<DB, TB, O>,
  ) => SelectQueryBuilder<DB, TB, O & { total: number | string | bigint }>;
}

/** A page with a cursor. */
export interface KyselyKeysetQuery<Config = KyselyQueryConfig>
  extends KyselyPage<Config>, CursorPage {}

/** The adapter of Kysely. */
export interface KyselyAdapter extends CheckingAdapter<KyselyQuery, KyselyQueryConfig> {
  build<const Config extends KyselyQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
  ): KyselyQuery<Config>;
  /** Like `build`, but with a signed cursor instead of a page number. */
  buildKeyset<const Config extends KyselyQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
    options: KeysetOptions,
  ): KyselyKeysetQuery<Config>;
  /**
   * Returns the results of `facets`, `aggregate` and `group`. Pass a query without selected
   * columns, such as `db.selectFrom('tasks')`. Returns `{}` if the query string has none of these
   * parameters.
   */
  summarize<DB, TB extends keyof DB, O>(
    parsed: AnyParsedQuery,
    config: KyselyQueryConfig,
    rows: SelectQueryBuilder<DB, TB, O>,
  ): Promise<Summary>;
}

/**
 * Translates queries to Kysely, for PostgreSQL, MySQL, MariaDB and SQLite.
 *
 * @throws InvalidQueryError if a value does not fit its column, or if a cursor is invalid
 * @throws InvalidQueryConfigError
 * @example
 * ```ts
 * const query = kyselyAdapter.build(parsed, { columns: { id: 'integer', title: 'string' }, primaryKey: 'id' });
 * const data = await query.apply(db.selectFrom('tasks').selectAll()).execute();
 * const { total } = await query.applyCount(db.selectFrom('tasks')).executeTakeFirstOrThrow();
 * ```
 */
export const kyselyAdapter: KyselyAdapter = {
  name: 'kysely',
  check: (config) => void [joinedSpec(config), readJoinScope(config)],
  build<Config extends KyselyQueryConfig>(parsed: AnyParsedQuery, config: Config) {
    const query = resolveQuery(parsed, joinedSpec(config));
    const own = searchedBy(parsed, config);
    const { apply, filtered } = buildKyselyPage(query, readJoinScope(config), own);
    const found: KyselyQuery = {
      apply: (qb) => apply(qb).offset(query.pagination.offset),
      applyCount: <DB, TB extends keyof DB, O>(qb: SelectQueryBuilder<DB, TB, O>) =>
        filtered(qb)
          .select(({ fn }) => fn.countAll().as('total'))
          .$castTo<O & { total: number | string | bigint }>(),
    };
    // The type of the config decides whether `fields` may remove columns from rows.
    return found;
  },
  buildKeyset<Config extends KyselyQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
    options: KeysetOptions,
  ) {
    const { query, scope, after, keys, cursorOf, project } = joinedKeyset(parsed, config, options);
    const page = buildKyselyPage(query, scope, searchedBy(parsed, config), after);
    const apply: KyselyPage['apply'] = (qb) =>
      page.apply(qb).select(keys.map(({ ref, as }) => sql.ref(ref).as(as)));
    return withProject({ apply, cursorOf }, project);
  },
  async summarize(parsed, config, rows) {
    return summarize(parsed, joinedSpec(config), () =>
      groupReader(rows, readJoinScope(config), searchedBy(parsed, config)),
    );
  },
};
