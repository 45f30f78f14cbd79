import { flag, type OptionTable, readOptions } from '@fledge-internal/options';
import type {
  EntityMetadata,
  FindOptionsOrder,
  FindOptionsSelect,
  FindOptionsWhere,
  ObjectLiteral,
  Repository,
  SelectQueryBuilder,
} from 'typeorm';
import { cacheByObject } from '../config/cache-by-object.js';
import { type SearchHook, searchedBy } from '../config/search-hook.js';
import { type KeysetAdapter, keysetPage, keysetQuery } from '../page/keyset-page.js';
import { type CursorPage, projectionByPath, withProject } from '../page/row-projection.js';
import { placeOfCall } from '../query.defaults.js';
import { type DerivedQueryConfig, derivedSpecs } from '../resolve/derived-columns.js';
import { withFetchedKeys } from '../resolve/selected-fields.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { summarize } from '../summary/read-summary.js';
import type { Summary } from '../summary/summary.js';
import { dialectOf } from './dialect.js';
import { columnsOfEntity } from './entity-columns.js';
import { findOrderOf, findSelectOf, findWhereOf } from './find-options.js';
import { applyQuery, groupReader } from './query-builder.js';
import type { TypeOrmCondition } from './typeorm-condition.js';
import type { QueriedEntity } from './related-entity.js';
import { besideOf, refuseHiddenKeys, readSortValue } from './sort-key.js';

/** Functions that add a query to a query builder. */
export interface TypeOrmBuilderQuery<Entity extends ObjectLiteral> {
  /**
   * Adds conditions, order and page to a query builder. Returns the query builder. `getCount`
   * ignores order and page. If the query string has `fields`, these fields replace the columns of
   * the entity. The columns of joined entities stay.
   */
  readonly applyTo: <Builder extends SelectQueryBuilder<Entity>>(builder: Builder) => Builder;
}

/** The options of `repository.findAndCount`. `applyTo` is for a query builder. */
export interface TypeOrmQuery<Entity extends ObjectLiteral> extends TypeOrmBuilderQuery<Entity> {
  /**
   * Conditions joined by OR, one for each searched column. There is at least one. Add your own
   * conditions to each of them.
   */
  readonly where: FindOptionsWhere<Entity>[];
  /**
   * The order for `find`. MySQL and MariaDB put NULLs first in ascending order and last in
   * descending order. Only `applyTo` puts them where the config says. Reading `order` throws an
   * `InvalidQueryError` if only `applyTo` supports the order. This is so if a sort key belongs to a
   * related row. It is also so if `fields` or `select: false` omits a sort key (see `findJoins`).
   * On MySQL and MariaDB, it is also so for a descending order with `nulls: 'first'`.
   */
  readonly order: FindOptionsOrder<Entity>;
  /**
   * The fields that the query parameter `fields` requests. Missing without `fields`. Reading
   * `select` throws an `InvalidQueryError` if `findAndCount` of TypeORM 1 would return a wrong
   * total (see `findCounts`).
   */
  readonly select?: FindOptionsSelect<Entity>;
  readonly skip: number;
  readonly take: number;
}

/**
 * A page with a cursor. It requires a query builder, because `find` cannot set the position of
 * NULLs in the sort order on every engine.
 */
export interface TypeOrmKeysetQuery<Entity extends ObjectLiteral>
  extends TypeOrmBuilderQuery<Entity>, CursorPage<Entity> {}

/**
 * Property paths of the entity. For example, `address.city` is a path of an embedded property, and
 * `author.name` and `tags.name` go through relations. `parseQuery` also accepts this config.
 */
export type TypeOrmQueryConfig = DerivedQueryConfig & SearchHook<TypeOrmCondition>;

/** The adapter of one TypeORM entity. */
export interface TypeOrmAdapter<Entity extends ObjectLiteral> extends KeysetAdapter<
  TypeOrmQuery<Entity>,
  TypeOrmKeysetQuery<Entity>,
  TypeOrmQueryConfig
> {
  /**
   * Returns the results of `facets`, `aggregate` and `group`. Pass a query builder for the rows,
   * such as `repository.createQueryBuilder('task')`. It is not changed. Returns `{}` if the query
   * has none of these parameters.
   */
  summarize(
    parsed: AnyParsedQuery,
    config: TypeOrmQueryConfig,
    rows: SelectQueryBuilder<Entity>,
  ): Promise<Summary>;
}

/** Options of `typeOrmAdapter`. */
export interface TypeOrmAdapterOptions {
  /**
   * True if you load relations with `find`. TypeORM then cannot sort by a field that is not fetched
   * because of `fields` or `select: false`. A query with such a sort key gets a 400. `applyTo` has
   * no such limit. Default: true for an entity with relations.
   */
  readonly findJoins?: boolean;
  /**
   * True if you call `findAndCount`. With `select`, TypeORM 1 counts distinct values of the fields
   * instead of rows. A query with `fields` therefore gets a 400 if the total would be wrong. On
   * SQLite, MySQL and MariaDB, this happens if a requested field is nullable. On PostgreSQL, it
   * happens if the type of a field has no equality operator, such as `json`. Set this option to
   * false if you only call `find`, or `find` with `count({ where })`. `applyTo` has no such limit.
   * @default true
   */
  readonly findCounts?: boolean;
}

const OPTIONS = {
  findJoins: flag.optional,
  findCounts: flag.default(true),
} satisfies OptionTable<TypeOrmAdapterOptions>;

/**
 * Translates queries for an entity. Reads its columns from TypeORM, once per config.
 *
 * @throws InvalidQueryError if a value does not fit its column, or if a cursor is invalid
 * @throws InvalidQueryConfigError
 * @example
 * ```ts
 * const query = typeOrmAdapter(repository).build(parsed, { filterable: ['status'], sortable: ['id'] });
 * const [data, total] = await repository.findAndCount(query);
 * ```
 */
export function typeOrmAdapter<Entity extends ObjectLiteral>(
  { metadata }: Repository<Entity>,
  options: TypeOrmAdapterOptions = {},
): TypeOrmAdapter<Entity> {
  const { findJoins, findCounts: counts } = readOptions(options, OPTIONS, PLACE);
  const { specOf, entity, valueOf, ...methods } = translationOf(metadata);
  const joins = findJoins ?? metadata.relations.length > 0;
  return {
    name: 'typeorm',
    ...methods,
    build(parsed, config) {
      const query = resolveQuery(parsed, specOf(config));
      const own = searchedBy(parsed, config);
      const found: TypeOrmQuery<Entity> = {
        where: findWhereOf(query, entity, own) as FindOptionsWhere<Entity>[],
        get order() {
          if (joins) refuseHiddenKeys(query, metadata);
          return findOrderOf(query, { dialect: entity.dialect, joins }) as FindOptionsOrder<Entity>;
        },
        skip: query.pagination.offset,
        take: query.pagination.limit,
        applyTo: (builder) => applyQuery(builder, query, entity, { own }),
      };
      const { fields } = query;
      if (fields === undefined) return found;
      const get = () => findSelectOf(fields, entity, counts);
      return Object.defineProperty(found, 'select', { enumerable: true, get });
    },
    buildKeyset(parsed, config, options) {
      const query = keysetQuery(resolveQuery(parsed, specOf(config)), specOf(config), options);
      const page = keysetPage(query, { read: valueOf, ...options });
      const limits = { own: searchedBy(parsed, config), after: page.where };
      const found: Omit<TypeOrmKeysetQuery<Entity>, 'project'> = {
        applyTo: (builder) => applyQuery(builder, withFetchedKeys(query), entity, limits),
        cursorOf: (row) => page.cursorOf(row),
      };
      return withProject(found, projectionByPath(query, besideOf(metadata)));
    },
  };
}

const PLACE = placeOfCall('typeOrmAdapter');

const translationOf = cacheByObject((metadata: EntityMetadata) => {
  // In TypeORM 0.3, this property is `connection`.
  const { dataSource = metadata.connection } = metadata;
  const dialect = dialectOf(dataSource.options.type);
  const specOf = derivedSpecs(columnsOfEntity(metadata, dialect));
  const entity: QueriedEntity = {
    metadata,
    dialect,
    escape: (name) => dataSource.driver.escape(name),
  };
  return {
    specOf,
    entity,
    check: (config: TypeOrmQueryConfig) => void specOf(config),
    summarize: async (
      parsed: AnyParsedQuery,
      config: TypeOrmQueryConfig,
      rows: SelectQueryBuilder<ObjectLiteral>,
    ) =>
      summarize(parsed, specOf(config), () =>
        groupReader(rows, entity, searchedBy(parsed, config)),
      ),
    valueOf: (row: object, key: ResolvedSort) => readSortValue(row, key, metadata),
  };
});
