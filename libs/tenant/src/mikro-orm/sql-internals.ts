// What the guard uses of MikroORM's SQL drivers beyond their public types. Checked by the specs for each version in the
// range of the peer dependency.
import type {
  Configuration,
  EntityManager,
  EntityMetadata,
  EntityProperty,
  ForkOptions,
  MetadataStorage,
} from '@mikro-orm/core';

export type Metadata = EntityMetadata;
export type Property = EntityProperty;
export type Row = Record<string, unknown>;

/** A class that a mixin extends. Its arguments are MikroORM's. */
export type Constructor<T> = new (...args: never[]) => T;

export interface SqlDriver {
  readonly config: Configuration;
  readonly metadata: MetadataStorage;
  convertException(error: Error): Error;
  createEntityManager(useContext?: boolean): EntityManager;
  createQueryBuilder(...args: unknown[]): SqlQuery;
  nativeInsertMany(
    entity: string,
    rows: Row[],
    options?: WriteOptions,
    ...more: unknown[]
  ): Promise<unknown>;
  nativeDelete(entity: string, where: unknown, options?: WriteOptions): Promise<unknown>;
  nativeUpdate(entity: string, where: unknown, row: Row, options?: WriteOptions): Promise<Written>;
  nativeUpdateMany(
    entity: string,
    where: unknown[],
    rows: Row[],
    options?: WriteOptions,
  ): Promise<Written>;
  count(entity: string, where: unknown, options: WriteOptions): Promise<number>;
  syncCollections(collections: Iterable<SyncedCollection>, options?: WriteOptions): Promise<void>;
}

export interface WriteOptions {
  readonly upsert?: boolean;
  /** The transaction. */
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

interface Alias {
  readonly aliasName: string;
  readonly metadata?: Metadata;
  readonly subQuery?: unknown;
}

interface Join {
  readonly alias: string;
  readonly subquery?: string;
  cond: Row;
}

interface Conflict {
  readonly merge?: unknown;
  where?: Row;
}

/** A QueryBuilder. */
export interface SqlQuery {
  readonly type?: string;
  readonly mainAlias: Alias;
  readonly finalized: boolean;
  readonly platform: object;
  readonly helper: { processOnConflictCondition(where: Row, schema: unknown): Row };
  readonly subQueries: Record<string, string>;
  readonly _aliases: Record<string, Alias>;
  readonly _joins: Record<string, Join>;
  _cond: Row;
  readonly _onConflict?: Conflict[];
  readonly _schema?: string;
  _data?: Row | Row[];
  /** The tenant that the query was built for, once it is built. */
  fledgeTenant?: { readonly id: string | undefined };
  /** The aliases of joins that have the condition. */
  fledgeJoins?: ReadonlySet<string>;
  andWhere(condition: Row): unknown;
  select(fields: string): SqlQuery;
  processPopulateHint(): void;
  finalize(): void;
  getKnexQuery(...args: unknown[]): object;
  toQuery(): object;
  clone(...args: unknown[]): SqlQuery;
  execute(...args: unknown[]): Promise<unknown>;
}

/** An EntityManager with its internal methods. */
export interface InternalManager {
  /** True for the one that MikroORM made at start. */
  readonly global?: boolean;
  /** Whether it finds the entity manager of the request. */
  readonly useContext: boolean;
  readonly config: Configuration;
  getDriver(): object;
  clearCache(key: string): Promise<void>;
  getContext(validate?: boolean): InternalManager;
  fork(options?: ForkOptions): this;
  tryCache(entity: string, config: unknown, key: unknown, ...more: unknown[]): Promise<unknown>;
  execute(sql: unknown, ...more: unknown[]): Promise<unknown>;
  getKnex(type?: unknown): unknown;
}
