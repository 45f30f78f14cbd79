import { cacheByObject } from '../config/cache-by-object.js';
import { type SearchHook, searchedBy } from '../config/search-hook.js';
import { type KeysetOptions, keysetPage, keysetQuery } from '../page/keyset-page.js';
import { joinedByAnd, searchCondition } from '../resolve/query-conditions.js';
import { type Projected, projectionByPath, withProject } from '../page/row-projection.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import { declaredSpec, type DeclaredQueryConfig } from '../resolve/declared-columns.js';
import { refuseNested } from '../resolve/json-column.js';
import { treeOf } from '../resolve/row-members.js';
import { pathsBeside, withFetchedKeys } from '../resolve/selected-fields.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { eachThroughRelations } from '../resolve/through-relations.js';
import type { Condition, QuerySpec, ResolvedQuery } from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';
import { type GroupedQuery, summarize } from '../summary/read-summary.js';
import type { Summary } from '../summary/summary.js';
import { checkSummary, groupReader, type PrismaSummarySource } from './summarize-prisma.js';
import { type PrismaWhere, prismaWhere, type PrismaProvider } from './prisma-where.js';
import {
  checkOrder,
  cursorKeyOf,
  prismaOrder,
  type PrismaRelation,
  valueAt,
  withOwnNulls,
} from './prisma-order.js';

const VERSION = checkPeer('@prisma/client', '@fledge/query/prisma');

export type { PrismaRelation } from './prisma-order.js';
export type { PrismaProvider } from './prisma-where.js';

/**
 * The columns have the same names as the fields of the Prisma schema. If `relations` is not set,
 * each dotted name follows relations to a single row.
 */
export interface PrismaQueryConfig extends DeclaredQueryConfig, SearchHook<object> {
  /**
   * The relations that fields use. The keys are paths with names of the Prisma schema.
   * @default none
   */
  readonly relations?: Readonly<Record<string, PrismaRelation>> | undefined;
  /** The option `provider` of the datasource. Engines support different filters. */
  readonly provider: PrismaProvider;
}

/**
 * The arguments of `findMany`. The types are general, because they must fit the generated client of
 * every model.
 */
export interface PrismaFindArgs {
  readonly where: object;
  readonly orderBy: object[];
  readonly skip: number;
  readonly take: number;
}

/**
 * The arguments of `findMany`. The property `count` contains the arguments of `count`. Remove
 * `count` before you call `findMany`.
 */
export type PrismaQuery<Config = PrismaQueryConfig> = PrismaFindArgs &
  PrismaSelected<Config> & { readonly count: { readonly where: object } };

/**
 * The arguments of `findMany` for a page with a cursor. Remove `cursorOf` before you call
 * `findMany`.
 */
export type PrismaKeysetQuery<Config = PrismaQueryConfig> = Omit<PrismaFindArgs, 'skip'> &
  PrismaSelected<Config> &
  Projected<Config> & {
    /** Returns the cursor for the page after this row. */
    cursorOf(row: object): string;
  };

/**
 * The fields that the query parameter `fields` requests. Missing without `fields`. The type omits
 * this property if the config has no `selectable`.
 */
export type PrismaSelected<Config> = Config extends { readonly selectable: object }
  ? {
      /** Prisma rejects `include` together with `select`. */
      readonly select?: object;
    }
  : object;

/** The adapter of Prisma. */
export interface PrismaAdapter extends CheckingAdapter<PrismaQuery, PrismaQueryConfig> {
  build<const Config extends PrismaQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
  ): PrismaQuery<Config>;
  /** Like `build`, but with a signed cursor instead of a page number. */
  buildKeyset<const Config extends PrismaQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
    options: KeysetOptions,
  ): PrismaKeysetQuery<Config>;
  /**
   * Returns the results of `facets`, `aggregate` and `group`. Returns `{}` if the query has none of
   * these parameters.
   * @param rows the model: `prisma.task`. To add your own conditions, use a client extension
   */
  summarize(
    parsed: AnyParsedQuery,
    config: PrismaQueryConfig,
    rows: PrismaSummarySource,
  ): Promise<Summary>;
}

/**
 * Translates queries to arguments of Prisma's `findMany` and `count`. Does not import Prisma.
 *
 * @example
 * ```ts
 * const { count, ...find } = prismaAdapter.build(parsed, TASKS);
 * const [data, total] = await Promise.all([prisma.task.findMany(find), prisma.task.count(count)]);
 * ```
 * @throws InvalidQueryError if a value does not fit its column, if Prisma cannot express a
 * condition on this engine, or if a cursor is invalid
 * @throws InvalidQueryConfigError
 */
export const prismaAdapter: PrismaAdapter = {
  name: 'prisma',
  check: (config) => void prismaSpecOf(config),
  build<Config extends PrismaQueryConfig>(parsed: AnyParsedQuery, config: Config) {
    const query = resolvedBy(parsed, config);
    const { limit, offset } = query.pagination;
    const where = whereOf(query, config.provider, searchedBy(parsed, config));
    return {
      ...selectOf<Config>(query),
      where,
      orderBy: query.sort.map(prismaOrder),
      skip: offset,
      take: limit,
      count: { where },
    };
  },
  buildKeyset<Config extends PrismaQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
    options: KeysetOptions,
  ) {
    const query = keysetQuery(resolvedBy(parsed, config), prismaSpecOf(config), options);
    const sort = query.sort.map((key) => cursorKeyOf(key, VERSION));
    const keyset = keysetPage({ ...query, sort }, { read: valueAt, ...options });
    const after = keyset.where && eachThroughRelations(keyset.where);
    const found = {
      ...selectOf<Config>(withFetchedKeys(query, pathsBeside)),
      where: whereOf(query, config.provider, searchedBy(parsed, config), after),
      orderBy: query.sort.map(prismaOrder),
      take: query.pagination.limit,
      cursorOf: (row: object) => keyset.cursorOf(row),
    };
    return withProject(found, projectionByPath(query, pathsBeside));
  },
  async summarize(parsed, config, rows) {
    const spec = prismaSpecOf(config);
    return summarize(parsed, spec, () => {
      const own = searchedBy(parsed, config);
      const conditionsOf = (query: GroupedQuery['query']) => whereOf(query, config.provider, own);
      return groupReader(rows, conditionsOf, spec);
    });
  },
};

function resolvedBy(parsed: AnyParsedQuery, config: PrismaQueryConfig): ResolvedQuery {
  const spec = prismaSpecOf(config);
  const query = resolveQuery(parsed, spec);
  return { ...query, sort: query.sort.map((key) => withOwnNulls(key, spec)) };
}

function whereOf(
  { filters, where, search }: Pick<ResolvedQuery, 'filters' | 'where' | 'search'>,
  provider: PrismaProvider,
  own: object | undefined,
  after?: Condition,
): PrismaWhere {
  const parts = [
    ...filters.map((filter) => prismaWhere(filter, provider)),
    ...(where ? [prismaWhere(where, provider, 'where')] : []),
    ...(search ? [prismaWhere(searchCondition(search), provider, 'search')] : []),
    ...(after ? [prismaWhere(after, provider)] : []),
  ];
  return joinedByAnd('AND', parts, own);
}

function selectOf<Config>({ fields }: ResolvedQuery): PrismaSelected<Config> {
  const paths = fields?.map(({ name }) => name);
  const selected = paths && { select: treeOf(paths, (select) => ({ select })) };
  return selected ?? {};
}

const prismaSpecOf: (config: PrismaQueryConfig) => QuerySpec = cacheByObject((config) => {
  if (!PROVIDERS.has(config.provider)) {
    throw new InvalidQueryConfigError(
      `The Prisma provider ${JSON.stringify(config.provider)} is not supported.`,
      `Set \`provider\` to one of ${[...PROVIDERS].join(', ')}.`,
    );
  }
  const spec = declaredSpec(config);
  refuseNested(
    spec,
    'Prisma',
    'Remove it from the query config, or write your own condition in the function `search`.',
  );
  checkOrder(spec, config.relations);
  checkSummary(spec);
  return spec;
});

const PROVIDERS = new Set<PrismaProvider>(['postgresql', 'cockroachdb', 'mysql', 'sqlite']);
