import type { SelectQueryBuilder } from 'kysely';
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
import { type KyselyPage, type KyselyQueryConfig, buildKyselyPage, scopeOf } from './kysely-page.js';
import { sql } from './render-sql.js';

/** The parts of a page by number, and functions that add them to queries. */
export interface KyselyQuery<Config = KyselyQueryConfig> extends KyselyPage<Config> {
  readonly offset: number;
  /** Adds the conditions to a query without columns, and selects the number of rows on all pages as `total`. */
  readonly applyCount: <DB, TB extends keyof DB, O>(
    qb: SelectQueryBuilder<DB, TB, O>,
  ) => SelectQueryBuilder<DB, TB, O & { total: number | string | bigint }>;
}

/** A page by cursor. */
export interface KyselyKeysetQuery<Config = KyselyQueryConfig> extends KyselyPage<Config> {
  /** The cursor of the page that starts after this row. */
  readonly cursorOf: (row: object) => string;
  /** Leaves out the sort keys that `fields` does not ask for. Call it after `cursorOf`. Not enumerable. */
  readonly project: ProjectRow;
}

/** The adapter of Kysely. */
export interface KyselyAdapter extends CheckingAdapter<KyselyQuery, KyselyQueryConfig> {
  build<const Config extends KyselyQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
  ): KyselyQuery<Config>;
  /** A page by signed cursor instead of page number. */
  buildKeyset<const Config extends KyselyQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
    options: KeysetOptions,
  ): KyselyKeysetQuery<Config>;
}

/**
 * Translates queries for Kysely, on PostgreSQL, MySQL, MariaDB and SQLite.
 *
 * @throws InvalidQueryError for values that do not fit their columns, and for invalid cursors
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
  check: (config) => void [declaredSpec(config), scopeOf(config)],
  build<Config extends KyselyQueryConfig>(parsed: AnyParsedQuery, config: Config) {
    const query = resolveQuery(parsed, declaredSpec(config));
    const { page, filtered } = buildKyselyPage(query, scopeOf(config), searchedBy(parsed, config));
    const { offset } = query.pagination;
    const found: KyselyQuery = {
      ...page,
      offset,
      apply: (qb) => page.apply(qb).offset(offset),
      applyCount: <DB, TB extends keyof DB, O>(qb: SelectQueryBuilder<DB, TB, O>) =>
        filtered(qb)
          .select(({ fn }) => fn.countAll().as('total'))
          .$castTo<O & { total: number | string | bigint }>(),
    };
    // The type of the config tells whether `fields` cuts rows.
    return found;
  },
  buildKeyset<Config extends KyselyQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
    options: KeysetOptions,
  ) {
    const query = keysetQuery(resolveQuery(parsed, declaredSpec(config)), options);
    const scope = scopeOf(config);
    const sort = query.sort.map(withTextTimestamps);
    const read = sortValueReader(scope.stepsOf);
    const keyset = keysetPage({ ...query, sort }, { read, ...options });
    const { page, keys } = buildKyselyPage(
      withFetchedKeys(query),
      scope,
      searchedBy(parsed, config),
      keyset.where,
    );
    const found: KyselyPage & Pick<KyselyKeysetQuery, 'cursorOf'> = {
      ...page,
      apply: (qb) => page.apply(qb).select(keys.map(({ ref, as }) => sql.ref(ref).as(as))),
      cursorOf: (row) => keyset.cursorOf(row),
    };
    return withProject(found, projectionByField(query, keys));
  },
};
