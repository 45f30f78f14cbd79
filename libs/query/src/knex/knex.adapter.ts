import type { Knex } from 'knex';
import { orText } from '../cursor/cursor-value.js';
import { type KeysetOptions, keysetPage } from '../cursor/keyset-page.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { specOf } from '../resolve/declared-columns.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { checkPeer } from '../resolve/supported-peers.js';
import { type KnexPage, type KnexQueryConfig, pageOf } from './knex-page.js';

checkPeer('knex', '@fledge/query/knex');

/** Functions that put a query into a query builder, which they change and return. */
export interface KnexQuery extends KnexPage {
  /** Selects, from a query that selects nothing yet, how many rows there are on all pages: `total`. */
  readonly applyCount: (
    qb: Knex.QueryBuilder,
  ) => Knex.QueryBuilder<object, { total: number | string }[]>;
}

/** A page that starts behind a cursor. */
export interface KnexKeysetQuery extends KnexPage {
  /** The cursor of the page behind this row. */
  readonly cursorOf: (row: object) => string;
}

export interface KnexAdapter extends CheckingAdapter<KnexQuery, KnexQueryConfig> {
  buildKeyset(
    parsed: AnyParsedQuery,
    config: KnexQueryConfig,
    options: KeysetOptions,
  ): KnexKeysetQuery;
}

/**
 * Queries for Knex, the same SQL on every dialect.
 *
 * @example
 * ```ts
 * const query = knexAdapter.build(parsed, { columns: { id: 'integer', title: 'string' }, primaryKey: 'id' });
 * const data = await query.apply(knex('tasks').select('*'));
 * const [{ total }] = await query.applyCount(knex('tasks'));
 * ```
 */
export const knexAdapter: KnexAdapter = {
  name: 'knex',
  check: (config) => void specOf(config),
  build(parsed, config) {
    const query = resolveQuery(parsed, specOf(config));
    const { page, filtered } = pageOf(query, query.filters, config);
    return {
      apply: (qb) => {
        void page.apply(qb).offset(query.pagination.offset);
        return qb;
      },
      applyCount: (qb) => filtered(qb).count({ total: '*' }),
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
