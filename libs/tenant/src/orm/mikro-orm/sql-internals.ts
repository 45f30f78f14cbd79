// Parts of MikroORM's SQL drivers that are not in their public types. These parts include the
// differences between versions 6 and 7. The specs test the lowest and highest supported version of
// each major version.
import {
  type Configuration,
  type EntityManager,
  type EntityMetadata,
  type EntityProperty,
  type ForkOptions,
  type MetadataStorage,
  RawQueryFragment,
} from '@mikro-orm/core';
import { TenantPeerVersionError } from '../../tenant.errors.js';

export type Metadata = EntityMetadata;
export type Property = EntityProperty;
export type Row = Record<string, unknown>;
/** The name of an entity's class. In MikroORM 7, it is the class. */
export type EntityRef = string;

/** A class that a mixin extends. Its arguments are defined by MikroORM. */
export type Constructor<T> = new (...args: never[]) => T;

export interface SqlDriver {
  readonly config: Configuration;
  readonly metadata: MetadataStorage;
  convertException(error: Error): Error;
  createEntityManager(useContext?: boolean): EntityManager;
  createQueryBuilder(...args: unknown[]): SqlQuery;
  nativeInsert(entity: EntityRef, row: Row, options?: WriteOptions): Promise<unknown>;
  nativeInsertMany(
    entity: EntityRef,
    rows: Row[],
    options?: WriteOptions,
    ...more: unknown[]
  ): Promise<unknown>;
  nativeDelete(entity: EntityRef, where: unknown, options?: WriteOptions): Promise<unknown>;
  nativeUpdate(
    entity: EntityRef,
    where: unknown,
    row: Row,
    options?: WriteOptions,
  ): Promise<Written>;
  nativeUpdateMany(
    entity: EntityRef,
    where: unknown[],
    rows: Row[],
    options?: WriteOptions,
    ...more: unknown[]
  ): Promise<Written>;
  count(entity: EntityRef, where: unknown, options: WriteOptions): Promise<number>;
  syncCollections(collections: Iterable<SyncedCollection>, options?: WriteOptions): Promise<void>;
  /** The condition of a partial index. Only in MikroORM 7. */
  renderPartialIndexWhere?(...args: unknown[]): string;
}

export interface WriteOptions {
  readonly upsert?: boolean;
  /** The current transaction. */
  readonly ctx?: unknown;
}

export interface Written {
  readonly affectedRows: number;
}

/** A changed collection of related entities. */
export interface SyncedCollection {
  readonly owner: object;
  readonly property: Property;
}

export interface Alias {
  readonly aliasName: string;
  /** Only in MikroORM 6. */
  readonly metadata?: Metadata;
  /** Only in MikroORM 7. */
  readonly meta?: Metadata;
  readonly subQuery?: unknown;
  /**
   * The table or `with()` expression that the query reads. Undefined if the query reads an entity.
   * Only in MikroORM 7.
   */
  readonly rawTableName?: string;
}

interface Join {
  readonly prop: { readonly name: string };
  readonly alias: string;
  readonly table?: string;
  readonly subquery?: string;
  cond: Row;
  /** The condition without `populateWhere`. Used by the query that counts the rows of a page. */
  cond_?: Row;
  /** True if the guard has added its condition. */
  fledgeGuarded?: boolean;
}

interface Conflict {
  readonly fields?: unknown;
  readonly merge?: unknown;
  where?: Row;
}

/** The current state of a QueryBuilder. */
export interface QueryState {
  readonly finalized: boolean;
  readonly aliases: Record<string, Alias>;
  readonly joins: Record<string, Join>;
  readonly subQueries: Record<string, string>;
  readonly onConflict?: Conflict[];
  readonly schema?: string;
  readonly fields?: unknown[];
  readonly having?: unknown;
  readonly orderBy?: unknown;
  readonly groupBy?: unknown;
  readonly limit?: unknown;
  readonly offset?: unknown;
  readonly lockTables?: unknown;
  readonly distinctOn?: unknown;
  readonly returning?: unknown;
  readonly indexHint?: string;
  /** The expressions of `with()`. Only in MikroORM 7. */
  readonly ctes?: readonly { readonly query: unknown }[];
  /** The query in `insertFrom()`. Only in MikroORM 7. */
  readonly insertSubQuery?: SqlQuery;
  cond: Row;
  data?: Row | Row[];
}

/** A QueryBuilder. */
export interface SqlQuery {
  readonly type?: string;
  readonly mainAlias: Alias;
  readonly platform: object;
  readonly helper: { processOnConflictCondition(where: Row, schema: unknown): Row };
  /** Set if the query belongs to an EntityManager instead of the driver. */
  readonly em?: object;
  readonly driver: SqlDriver;
  /** Only in MikroORM 7. In version 6, each part of the state is a property of the QueryBuilder. */
  readonly state?: QueryState;
  /** The tenant for which the query was built. */
  fledgeTenant?: BuiltFor | undefined;
  andWhere(condition: Row): unknown;
  select(fields: string): SqlQuery;
  processPopulateHint(): void;
  finalize(): void;
  toQuery(): object;
  clone(...args: unknown[]): SqlQuery;
  execute(...args: unknown[]): Promise<unknown>;
  /** Only in MikroORM 6. */
  getKnexQuery?(...args: unknown[]): object;
  /** Only in MikroORM 7. */
  getNativeQuery?(...args: unknown[]): NativeQuery;
  toRaw?(): object;
  buildUnionQuery?(separator: string, others: readonly object[]): SqlQuery;
}

/** A query that MikroORM 7 has converted to SQL. */
export interface NativeQuery {
  toRaw(): object;
}

export interface BuiltFor {
  readonly id: string | undefined;
}

/** An EntityManager with its internal methods. */
export interface InternalManager {
  /** True for the manager that MikroORM created at startup. */
  readonly global?: boolean;
  readonly config: Configuration;
  getDriver(): object;
  clearCache(key: string): Promise<void>;
  getContext(validate?: boolean): InternalManager;
  fork(options?: ForkOptions): this;
  tryCache(entity: string, config: unknown, key: unknown, ...more: unknown[]): Promise<unknown>;
  execute(sql: unknown, params?: unknown, ...more: unknown[]): Promise<unknown>;
  /** Only in MikroORM 6. */
  getKnex?(type?: unknown): unknown;
  /** Only in MikroORM 7. */
  getKysely?(options?: unknown): unknown;
}

/**
 * The keys of raw SQL in objects. They are symbols in MikroORM 7. In version 6, they are strings
 * that MikroORM stores.
 */
const IS_7 = 'isKnownFragmentSymbol' in RawQueryFragment;

/** If one of these methods is missing, statements could bypass the guard. */
export const DRIVER_METHODS: readonly (keyof SqlDriver)[] = [
  'createEntityManager',
  'createQueryBuilder',
  'convertException',
  'count',
  'nativeInsert',
  'nativeInsertMany',
  'nativeUpdate',
  'nativeUpdateMany',
  'nativeDelete',
  'syncCollections',
];

export const MANAGER_METHODS: readonly (keyof InternalManager)[] = [
  'getContext',
  'getDriver',
  'fork',
  'tryCache',
  'clearCache',
  'execute',
];

const QUERY_METHODS: readonly (keyof SqlQuery)[] = [
  'finalize',
  'toQuery',
  'execute',
  'clone',
  'andWhere',
  'processPopulateHint',
];

const QUERY_METHODS_OF_7: readonly (keyof SqlQuery)[] = [
  'getNativeQuery',
  'toRaw',
  'buildUnionQuery',
];

/** @throws TenantPeerVersionError */
export function requireMethods(methods: readonly string[], of: object, name: string): void {
  const lacking = methods.find((method) => typeof Reflect.get(of, method) !== 'function');
  if (lacking !== undefined) throw new UnknownVersion(`${name}.${lacking}()`);
}

/** @throws TenantPeerVersionError */
export function requireQuery(query: SqlQuery): void {
  const more = IS_7 ? QUERY_METHODS_OF_7 : ['getKnexQuery'];
  requireMethods([...QUERY_METHODS, ...more], query, 'QueryBuilder');
  stateOf(query);
}

class UnknownVersion extends TenantPeerVersionError {
  constructor(lacking: string) {
    super('@fledge/tenant/mikro-orm', '@mikro-orm/core', '^6.6.0 || ^7.0.0', lacking);
  }
}

/** @throws TenantPeerVersionError */
export function stateOf(query: SqlQuery): QueryState {
  if (!IS_7) return stateIn6(query);
  const { state } = query;
  if (state && 'cond' in state && 'joins' in state && 'aliases' in state) return state;
  throw new UnknownVersion('QueryBuilder.state');
}

const NAMES_IN_6: Record<PropertyKey, string> = {
  finalized: 'finalized',
  subQueries: 'subQueries',
  lockTables: 'lockTables',
};

function stateIn6(query: SqlQuery): QueryState {
  const nameOf = (part: PropertyKey) => NAMES_IN_6[part] ?? `_${String(part)}`;
  return new Proxy(query as unknown as QueryState, {
    get: (_, part) => Reflect.get(query, nameOf(part)) as unknown,
    set: (_, part, value) => Reflect.set(query, nameOf(part), value),
  });
}

export function findMetadata({ metadata, meta, rawTableName }: Alias): Metadata | undefined {
  return rawTableName === undefined ? (metadata ?? meta) : undefined;
}

/** Returns the value that MikroORM's methods accept for an entity. */
export function refOf({ class: ofClass, className }: Metadata): EntityRef {
  return IS_7 ? (ofClass as unknown as EntityRef) : className;
}

/** The method returns a query of Knex. In MikroORM 7, it returns a query of MikroORM. */
export function builderOf(query: SqlQuery): 'getKnexQuery' | 'getNativeQuery' {
  return query.getKnexQuery ? 'getKnexQuery' : 'getNativeQuery';
}

/** Returns the query as a value for another query's condition. */
export function asValue(query: SqlQuery): object {
  return query.getKnexQuery?.() ?? query.toRaw!();
}

/** Raw SQL. */
export interface Fragment {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** Returns the fragment of `raw()`, as a value or as the key of an object. */
export function fragmentOf(value: unknown): Fragment | undefined {
  if (!RawQueryFragment.isKnownFragment(value as never)) return undefined;
  return RawQueryFragment.getKnownFragment(value as never, false);
}

/** Removes the SQL of a key. MikroORM 6 stores the SQL until the key is used. */
export function forgetKey(key: unknown): void {
  if (!IS_7) RawQueryFragment.remove(key as string);
}

/** Returns all entries of an object, including entries whose key is raw SQL. */
export function entriesOf(value: object): [string, unknown][] {
  const keys = Reflect.ownKeys(value).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(value, key),
  );
  return keys.map((key) => [key as string, Reflect.get(value, key) as unknown]);
}

/** Returns undefined for other values. A RegExp also has `compile()`. */
export function queriesIn(value: unknown): readonly { readonly sql: string }[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { toSQL, toRaw, toOperationNode, compile } = value as Queryable;
  // Methods of Knex, MikroORM 7 and Kysely.
  const make = toSQL ?? (IS_7 ? (toRaw ?? (toOperationNode && compile)) : undefined);
  return typeof make === 'function' ? [make.call(value)].flat() : undefined;
}

type Queryable = Partial<
  Record<'toSQL' | 'toRaw' | 'toOperationNode' | 'compile', () => { readonly sql: string }>
>;

/** Returns the SQL of an entity's formulas. MikroORM adds this SQL to a query after the check. */
export function formulasIn(metadata: Metadata): unknown[] {
  const table = { alias: '', name: '', qualifiedName: '', toString: () => '' };
  return metadata.props.flatMap(({ formula }) => {
    if (!formula) return [];
    const columns = metadata.createColumnMappingObject();
    const args: unknown[] = IS_7 ? [columns, table] : [table, columns];
    return [(formula as (...all: unknown[]) => unknown)(...args)];
  });
}

/**
 * Returns the maximum number of rows for which `on conflict do update` supports a condition. On
 * SQLite, Knex drops the condition if there are several rows.
 */
export function conditionalUpserts({ name }: { readonly name: string }): 'none' | 'one' | 'all' {
  if (/postgre|pglite/i.test(name)) return 'all';
  if (!/sqlite|libsql/i.test(name)) return 'none';
  return IS_7 ? 'all' : 'one';
}
