import { onceFor } from '../config/once-for.js';
import { type KeysetOptions, keysetPage } from '../cursor/keyset-page.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryColumn } from '../resolve/column.js';
import { type DeclaredQueryConfig, specOf } from '../resolve/declared-columns.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { type QuerySpec, resolveQuery } from '../resolve/resolve-query.js';
import type { ResolvedQuery, ResolvedSearch, ResolvedSort } from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';
import { at, type PrismaWhere, whereOf } from './prisma-where.js';
import { type PrismaProvider, textFilterOf } from './prisma-text.js';

checkPeer('@prisma/client', '@fledge/query/prisma');

export type { PrismaProvider } from './prisma-text.js';

/** Columns as the Prisma schema names its fields; a dotted name goes through relations to one. */
export interface PrismaQueryConfig extends DeclaredQueryConfig {
  /** `provider` of the datasource: engines differ in what they can be asked. */
  readonly provider: PrismaProvider;
}

/** Arguments of `findMany` of any model: no narrower type would fit the arguments of every generated client. */
export interface PrismaFindArgs {
  readonly where: object;
  readonly orderBy: object[];
  readonly skip: number;
  readonly take: number;
}

/** Spread it into `findMany`; `count` is for `count`. */
export interface PrismaQuery extends PrismaFindArgs {
  readonly count: { readonly where: object };
}

/** Arguments of `findMany` for a page that starts behind a cursor; `cursorOf` is none of them. */
export interface PrismaKeysetQuery extends Omit<PrismaFindArgs, 'skip'> {
  /** The cursor of the page behind this row. */
  cursorOf(row: object): string;
}

export interface PrismaAdapter extends CheckingAdapter<PrismaQuery, PrismaQueryConfig> {
  buildKeyset(
    parsed: AnyParsedQuery,
    config: PrismaQueryConfig,
    options: KeysetOptions,
  ): PrismaKeysetQuery;
}

/**
 * Turns parsed queries into arguments of Prisma's `findMany` and `count`. Imports nothing of Prisma.
 *
 * @example
 * ```ts
 * const { count, ...find } = prismaAdapter.build(parsed, TASKS);
 * const [data, total] = await Promise.all([prisma.task.findMany(find), prisma.task.count(count)]);
 * ```
 * @throws InvalidQueryError for values that do not fit, or that the engine cannot be asked for
 */
export const prismaAdapter: PrismaAdapter = {
  name: 'prisma',
  check: (config) => void prismaSpecOf(config),
  build(parsed: AnyParsedQuery, config: PrismaQueryConfig): PrismaQuery {
    const query = resolveQuery(parsed, prismaSpecOf(config));
    const { limit, offset } = query.pagination;
    const where = allOf(conditionsOf(query, config.provider));
    return { where, orderBy: query.sort.map(orderOf), skip: offset, take: limit, count: { where } };
  },
  buildKeyset(parsed, config, options) {
    const query = resolveQuery(parsed, prismaSpecOf(config));
    const sort = query.sort.map(cursorKeyOf);
    const keyset = keysetPage({ ...query, sort }, { read: valueAt, ...options });
    const behind = keyset.where ? [whereOf(keyset.where, config.provider)] : [];
    return {
      where: allOf([...conditionsOf(query, config.provider), ...behind]),
      orderBy: query.sort.map(orderOf),
      take: query.pagination.limit,
      cursorOf: (row) => keyset.cursorOf(row),
    };
  },
};

function conditionsOf({ filters, search }: ResolvedQuery, provider: PrismaProvider): PrismaWhere[] {
  return [
    ...filters.map((filter) => whereOf(filter, provider)),
    ...(search ? [searchOf(search, provider)] : []),
  ];
}

function allOf(conditions: readonly PrismaWhere[]): PrismaWhere {
  return conditions.length === 0 ? {} : { AND: conditions };
}

const prismaSpecOf: (config: PrismaQueryConfig) => QuerySpec = onceFor((config) => {
  if (!PROVIDERS.has(config.provider)) {
    throw new InvalidQueryConfigError(
      `Prisma provider ${JSON.stringify(config.provider)} is none this adapter knows.`,
      `Set one of ${[...PROVIDERS].join(', ')}.`,
    );
  }
  return specOf(config);
});

const PROVIDERS = new Set<PrismaProvider>(['postgresql', 'cockroachdb', 'mysql', 'sqlite']);

function searchOf({ text, columns }: ResolvedSearch, provider: PrismaProvider): PrismaWhere {
  const problem = { kind: 'search' } as const;
  return {
    OR: columns.map(({ name }) => at(name, textFilterOf('contains', text, provider, problem))),
  };
}

/** NULLs last in both directions; Prisma refuses to be told so of a column that has none. */
function orderOf({ column, direction }: ResolvedSort): object {
  return at(column.name, mayBeNull(column) ? { sort: direction, nulls: 'last' } : direction);
}

/**
 * Prisma orders an enum of the schema as the database does, by its definition, and has no `gt` for it. So the config
 * has to say whether an enum is one, or is text in a `String` field.
 */
function cursorKeyOf(key: ResolvedSort): ResolvedSort {
  const { column } = key;
  if (column.type !== 'enum' || column.asText !== undefined) return key;
  return { ...key, column: { ...column, hasCursors: false } };
}

/** What stands at the path in a row, null for a row without the relation; a Decimal as text. */
function valueAt(row: object, { field, column }: ResolvedSort): unknown {
  let value: unknown = row;
  for (const name of column.name.split('.')) {
    if (value === null) break;
    value = (value as Record<string, unknown> | undefined)?.[name];
  }
  if (value === undefined) value = (row as Record<string, unknown>)[field];
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- a Decimal says what it is
  return column.type === 'decimal' && typeof value === 'object' && value ? String(value) : value;
}

function mayBeNull({ nullable = true }: QueryColumn): boolean {
  return nullable;
}
