import { onceFor } from '../config/once-for.js';
import { type KeysetOptions, keysetPage, keysetQuery } from '../cursor/keyset-page.js';
import { type Projected, projectionByPath, withProject } from '../cursor/row-projection.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryColumn } from '../resolve/column.js';
import { declaredSpec, type DeclaredQueryConfig } from '../resolve/declared-columns.js';
import { refuseRelations } from '../resolve/declared-relations.js';
import { nestedAtPath, valueAtPath } from '../resolve/property-path.js';
import { treeOf } from '../resolve/row-members.js';
import { withFetchedKeys } from '../resolve/selected-fields.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { type QuerySpec, resolveQuery } from '../resolve/resolve-query.js';
import type { ResolvedQuery, ResolvedSearch, ResolvedSort } from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';
import { type PrismaWhere, whereOf } from './prisma-where.js';
import { type PrismaProvider, textFilterOf } from './prisma-text.js';

checkPeer('@prisma/client', '@fledge/query/prisma');

export type { PrismaProvider } from './prisma-text.js';

/** Columns are named as the fields of the Prisma schema; a dotted name follows to-one relations. */
export interface PrismaQueryConfig extends DeclaredQueryConfig {
  /** `provider` of the datasource. Engines support different filters. */
  readonly provider: PrismaProvider;
}

/** Arguments of `findMany`. The types are wide, so that they fit the generated client of any model. */
export interface PrismaFindArgs {
  readonly where: object;
  readonly orderBy: object[];
  readonly skip: number;
  readonly take: number;
}

/** Arguments of `findMany`, and under `count` those of `count`. Take `count` out before calling `findMany`. */
export type PrismaQuery<Config = PrismaQueryConfig> = PrismaFindArgs &
  PrismaSelected<Config> & { readonly count: { readonly where: object } };

/** Arguments of `findMany` for a page by cursor. Take `cursorOf` out before calling it. */
export type PrismaKeysetQuery<Config = PrismaQueryConfig> = Omit<PrismaFindArgs, 'skip'> &
  PrismaSelected<Config> &
  Projected<Config> & {
    /** The cursor of the page that starts after this row. */
    cursorOf(row: object): string;
  };

/** The members that `fields` asks for. Missing without it; without `selectable` it is not in the type. */
export type PrismaSelected<Config> = Config extends { readonly selectable: object }
  ? {
      /** Prisma refuses `include` beside it. */
      readonly select?: object;
    }
  : object;

/** The adapter of Prisma. */
export interface PrismaAdapter extends CheckingAdapter<PrismaQuery, PrismaQueryConfig> {
  build<const Config extends PrismaQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
  ): PrismaQuery<Config>;
  /** A page by signed cursor instead of page number. */
  buildKeyset<const Config extends PrismaQueryConfig>(
    parsed: AnyParsedQuery,
    config: Config,
    options: KeysetOptions,
  ): PrismaKeysetQuery<Config>;
}

/**
 * Translates queries to arguments of Prisma's `findMany` and `count`. Does not import Prisma.
 *
 * @example
 * ```ts
 * const { count, ...find } = prismaAdapter.build(parsed, TASKS);
 * const [data, total] = await Promise.all([prisma.task.findMany(find), prisma.task.count(count)]);
 * ```
 * @throws InvalidQueryError for values that do not fit their columns, for conditions that Prisma cannot express on the
 * engine, and for invalid cursors
 * @throws InvalidQueryConfigError
 */
export const prismaAdapter: PrismaAdapter = {
  name: 'prisma',
  check: (config) => void prismaSpecOf(config),
  build<Config extends PrismaQueryConfig>(parsed: AnyParsedQuery, config: Config) {
    const query = resolveQuery(parsed, prismaSpecOf(config));
    const { limit, offset } = query.pagination;
    const where = allOf(conditionsOf(query, config.provider));
    return {
      ...selectOf<Config>(query),
      where,
      orderBy: query.sort.map(orderOf),
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
    const query = keysetQuery(resolveQuery(parsed, prismaSpecOf(config)), options);
    const sort = query.sort.map(cursorKeyOf);
    const keyset = keysetPage({ ...query, sort }, { read: valueAt, ...options });
    const after = keyset.where ? [whereOf(keyset.where, config.provider)] : [];
    const found = {
      ...selectOf<Config>(withFetchedKeys(query)),
      where: allOf([...conditionsOf(query, config.provider), ...after]),
      orderBy: query.sort.map(orderOf),
      take: query.pagination.limit,
      cursorOf: (row: object) => keyset.cursorOf(row),
    };
    return withProject(found, projectionByPath(query));
  },
};

function conditionsOf(
  { filters, where, search }: ResolvedQuery,
  provider: PrismaProvider,
): PrismaWhere[] {
  return [
    ...filters.map((filter) => whereOf(filter, provider)),
    ...(where ? [whereOf(where, provider, 'where')] : []),
    ...(search ? [searchOf(search, provider)] : []),
  ];
}

function selectOf<Config>({ fields }: ResolvedQuery): PrismaSelected<Config> {
  const paths = fields?.map(({ name }) => name);
  const selected = paths && { select: treeOf(paths, (select) => ({ select })) };
  return selected ?? {};
}

function allOf(conditions: readonly PrismaWhere[]): PrismaWhere {
  return conditions.length === 0 ? {} : { AND: conditions };
}

const prismaSpecOf: (config: PrismaQueryConfig) => QuerySpec = onceFor((config) => {
  if (!PROVIDERS.has(config.provider)) {
    throw new InvalidQueryConfigError(
      `The Prisma provider ${JSON.stringify(config.provider)} is not supported.`,
      `Set provider to one of ${[...PROVIDERS].join(', ')}.`,
    );
  }
  refuseRelations('Prisma', config);
  return declaredSpec(config);
});

const PROVIDERS = new Set<PrismaProvider>(['postgresql', 'cockroachdb', 'mysql', 'sqlite']);

function searchOf({ text, columns }: ResolvedSearch, provider: PrismaProvider): PrismaWhere {
  const problem = { kind: 'search' } as const;
  return {
    OR: columns.map(({ name }) =>
      nestedAtPath(name, textFilterOf('contains', text, provider, problem)),
    ),
  };
}

/** NULLs last in both directions. Prisma rejects `nulls` for a required column. */
function orderOf({ column, direction }: ResolvedSort): object {
  return nestedAtPath(
    column.name,
    mayBeNull(column) ? { sort: direction, nulls: 'last' } : direction,
  );
}

/**
 * An enum of the Prisma schema is ordered by its definition and has no `gt`, unlike a `String` field. Without `asText`
 * the adapter cannot tell which one it is, so the column cannot be a sort key of cursors.
 */
function cursorKeyOf(key: ResolvedSort): ResolvedSort {
  const { column } = key;
  if (column.type !== 'enum' || column.asText !== undefined) return key;
  return { ...key, column: { ...column, hasCursors: false } };
}

/** The value of a sort key in a row; null without the relation, text for a Decimal. */
function valueAt(row: object, { field, column }: ResolvedSort): unknown {
  let value = valueAtPath(row, column.name);
  if (value === undefined) value = (row as Record<string, unknown>)[field];
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- a Decimal has its own toString()
  return column.type === 'decimal' && typeof value === 'object' && value ? String(value) : value;
}

function mayBeNull({ nullable = true }: QueryColumn): boolean {
  return nullable;
}
