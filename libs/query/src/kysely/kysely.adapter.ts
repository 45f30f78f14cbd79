import type { SelectQueryBuilder } from 'kysely';
import { orText } from '../cursor/cursor-value.js';
import { type KeysetOptions, keysetPage } from '../cursor/keyset-page.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { specOf } from '../resolve/declared-columns.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { type KyselyPage, type KyselyQueryConfig, pageOf } from './kysely-page.js';

/** The parts of a page by number, and functions that put them all in. */
export interface KyselyQuery extends KyselyPage {
  readonly offset: number;
  /** Selects, from a query that selects nothing yet, how many rows there are on all pages: `total`. */
  readonly applyCount: <DB, TB extends keyof DB, O>(
    qb: SelectQueryBuilder<DB, TB, O>,
  ) => SelectQueryBuilder<DB, TB, O & { total: number | string | bigint }>;
}

/** A page that starts behind a cursor. */
export interface KyselyKeysetQuery extends KyselyPage {
  /** The cursor of the page behind this row. */
  readonly cursorOf: (row: object) => string;
}

export interface KyselyAdapter extends CheckingAdapter<KyselyQuery, KyselyQueryConfig> {
  buildKeyset(
    parsed: AnyParsedQuery,
    config: KyselyQueryConfig,
    options: KeysetOptions,
  ): KyselyKeysetQuery;
}

/**
 * Queries for Kysely, the same SQL on every dialect.
 *
 * @example
 * ```ts
 * const query = kyselyAdapter.build(parsed, { columns: { id: 'integer', title: 'string' }, primaryKey: 'id' });
 * const data = await query.apply(db.selectFrom('tasks').selectAll()).execute();
 * const { total } = await query.applyCount(db.selectFrom('tasks')).executeTakeFirstOrThrow();
 * ```
 */
export const kyselyAdapter: KyselyAdapter = {
  name: 'kysely',
  check: (config) => void specOf(config),
  build(parsed, config) {
    const query = resolveQuery(parsed, specOf(config));
    const { page, filtered } = pageOf(query, query.filters, config);
    const { offset } = query.pagination;
    return {
      ...page,
      offset,
      apply: (qb) => page.apply(qb).offset(offset),
      applyCount: <DB, TB extends keyof DB, O>(qb: SelectQueryBuilder<DB, TB, O>) =>
        filtered(qb)
          .select(({ fn }) => fn.countAll().as('total'))
          .$castTo<O & { total: number | string | bigint }>(),
    };
  },
  buildKeyset(parsed, config, options) {
    const query = resolveQuery(parsed, specOf(config));
    const keyset = keysetPage({ ...query, sort: query.sort.map(orText) }, options);
    const conditions =
      keyset.where === undefined ? query.filters : [...query.filters, keyset.where];
    const { page } = pageOf(query, conditions, config);
    return { ...page, cursorOf: (row) => keyset.cursorOf(row) };
  },
};
