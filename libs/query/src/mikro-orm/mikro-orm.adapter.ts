import type { EntityRepository, FilterQuery, QueryOrderMap } from '@mikro-orm/core';
import { cacheByObject } from '../config/cache-by-object.js';
import { type SearchHook, searchedBy } from '../config/search-hook.js';
import { type KeysetAdapter, keysetPage, keysetQuery } from '../page/keyset-page.js';
import { joinedByAnd, queryConditions } from '../resolve/query-conditions.js';
import { type ProjectRow, projectionByPath, withProject } from '../page/row-projection.js';
import { type DerivedQueryConfig, derivedSpecs } from '../resolve/derived-columns.js';
import { keyValueOf } from '../resolve/json-column.js';
import { outermost } from '../resolve/row-members.js';
import { pathsBeside, withFetchedKeys } from '../resolve/selected-fields.js';
import { valueAtPath } from '../resolve/property-path.js';
import { relationsTo } from '../resolve/relation.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import type { Condition, ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { eachThroughRelations } from '../resolve/through-relations.js';
import {
  type Place,
  mikroOrmOrder,
  Reference,
  Utils,
  mikroOrmWhere,
  wrap,
} from './condition-where.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { type GroupedQuery, summarize } from '../summary/read-summary.js';
import type { Summary } from '../summary/summary.js';
import { groupReader, type MikroOrmSummarySource } from './summarize-mikro-orm.js';
import { defaultFiltersOf, hidesRows } from './entity-filters.js';
import { type EntityProperties, propertiesOfEntity } from './entity-properties.js';
import type { SqlEngine } from '../shared-sql/sql-writer.js';
import { engineOf } from './property-type.js';

/** The arguments of `em.findAndCount(Task, where, { orderBy, limit, offset })`. */
export interface MikroOrmQuery<Entity extends object> {
  /**
   * Read this property again for each call. It is a getter, because MikroORM accepts a raw
   * condition only once.
   */
  readonly where: FilterQuery<Entity>;
  readonly orderBy: QueryOrderMap<Entity>[];
  readonly limit: number;
  readonly offset: number;
  /**
   * The paths that the query parameter `fields` requests. Missing without `fields`. The type allows
   * every path, because the paths are not known to TypeScript.
   */
  readonly fields?: readonly '*'[];
}

/** A page with a cursor. */
export interface MikroOrmKeysetQuery<Entity extends object> extends MikroOrmQuery<Entity> {
  /**
   * Lazy properties that are sort keys. Cursors require these properties. Missing if no sort key is
   * lazy. Add your own lazy properties to this list.
   */
  readonly populate?: readonly '*'[];
  /** Returns the cursor for the page after this row. */
  readonly cursorOf: (row: Entity) => string;
  /**
   * Returns a plain object with only the requested `fields`, or the row itself without `fields`.
   * Call `project` after `cursorOf`. This property is not enumerable.
   */
  readonly project: ProjectRow<Entity>;
}

/**
 * Property paths of the entity. For example, `address.city` is a path of an embedded property, and
 * `author.name` and `tags.name` go through relations. `parseQuery` also accepts this config.
 */
export type MikroOrmQueryConfig = DerivedQueryConfig & SearchHook<object>;

/** The adapter of one MikroORM entity. */
export interface MikroOrmAdapter<Entity extends object> extends KeysetAdapter<
  MikroOrmQuery<Entity>,
  MikroOrmKeysetQuery<Entity>,
  MikroOrmQueryConfig
> {
  /**
   * Returns the results of `facets`, `aggregate` and `group`. Pass a query builder for the rows,
   * such as `em.createQueryBuilder(Task)`. It is not changed. Returns `{}` if the query has none of
   * these parameters.
   */
  summarize(
    parsed: AnyParsedQuery,
    config: MikroOrmQueryConfig,
    rows: MikroOrmSummarySource,
  ): Promise<Summary>;
}

/**
 * Translates queries for an entity. Reads the properties of the entity from MikroORM, once per
 * config.
 *
 * @throws InvalidQueryError if a value does not fit its column, or if a cursor is invalid
 * @throws InvalidQueryConfigError
 * @example
 * ```ts
 * const { where, ...page } = mikroOrmAdapter(repository).build(parsed, { filterable: ['status'] });
 * const [data, total] = await repository.findAndCount(where, page);
 * ```
 */
export function mikroOrmAdapter<Entity extends object>(
  repository: EntityRepository<Entity>,
): MikroOrmAdapter<Entity> {
  const em = repository.getEntityManager();
  const engine = engineOf(em);
  const place = { em, engine, filtersOf: defaultFiltersOf(em) };
  const entity = propertiesOfEntity(em.getMetadata().get(repository.getEntityName()), engine);
  const specOf = specsOf(entity);
  const { whereOf, pageOf } = writersOf<Entity>(entity, place);
  return {
    name: 'mikro-orm',
    check: (config) => void specOf(config),
    build(parsed, config) {
      return pageOf(resolveQuery(parsed, specOf(config)), () => searchedBy(parsed, config));
    },
    buildKeyset(parsed, config, options) {
      const spec = specOf(config);
      const query = keysetQuery(resolveQuery(parsed, spec), spec, options);
      const read = (row: object, key: ResolvedSort) => valueAt(row, key, entity, engine);
      const sort = query.sort.map((key) => cursorKeyOf(key, entity, place));
      const page = keysetPage({ ...query, sort }, { read, ...options });
      const search = () => searchedBy(parsed, config);
      const after = page.where && eachThroughRelations(page.where);
      const found = Object.assign(pageOf(withFetchedKeys(query, pathsBeside), search, after), {
        ...populateOf(query, entity),
        cursorOf: (row: Entity) => page.cursorOf(row),
      });
      return withProject(found, projectionOf<Entity>(query, entity));
    },
    async summarize(parsed, config, rows) {
      const conditionsOf = (query: GroupedQuery['query']) =>
        whereOf(queryConditions(query), searchedBy(parsed, config));
      return summarize(parsed, specOf(config), () =>
        groupReader(rows, entity, place, conditionsOf),
      );
    },
  };
}

function writersOf<Entity extends object>(entity: EntityProperties, place: Place) {
  const whereOf = (conditions: readonly Condition[], own: object | undefined) => {
    const parts = conditions.map((part) => mikroOrmWhere(part, entity, place));
    return joinedByAnd('$and', parts, own) as FilterQuery<Entity>;
  };
  const pageOf = (query: ResolvedQuery, search: () => object | undefined, after?: Condition) => ({
    get where() {
      return whereOf(queryConditions(query, after), search());
    },
    get orderBy() {
      return query.sort.map((key) =>
        mikroOrmOrder(key, entity, place.engine),
      ) as QueryOrderMap<Entity>[];
    },
    limit: query.pagination.limit,
    offset: query.pagination.offset,
    ...fieldsOf(query),
  });
  return { whereOf, pageOf };
}

/**
 * Rejects the primary key of a related row as a sort key of cursors if default filters may hide
 * only the related row. The order uses the foreign key, but the loaded relation is null.
 */
function cursorKeyOf(key: ResolvedSort, entity: EntityProperties, place: Place): ResolvedSort {
  const { column } = key;
  const passed = relationsTo(column.relation);
  const target = passed.reduce((owner, relation) => owner.relatedBy(relation), entity);
  const [first, ...others] = passed;
  if (first === undefined || !target.primaryKey.includes(column.name)) return key;
  const mayHide =
    place.filtersOf(target.metadata).length > 0 &&
    (others.length > 0 || !hidesRows(place.em, entity.metadata, first.name));
  return mayHide ? { ...key, column: { ...column, hasCursors: false } } : key;
}

/** Returns null without a related row, and undefined if a row or property is not loaded. */
function valueAt(
  row: object,
  { column }: ResolvedSort,
  entity: EntityProperties,
  engine: SqlEngine,
): unknown {
  let owner = row;
  let properties = entity;
  let isLoaded = true;
  for (const relation of relationsTo(column.relation)) {
    if (!isLoaded) return undefined;
    const { name } = relation;
    properties = properties.relatedBy(relation);
    const related = valueAtPath(owner, name) as object | null | undefined;
    if (related === null || related === undefined) return related;
    owner = Reference.unwrapReference(related);
    isLoaded = wrap(owner).isInitialized();
  }
  // A row that is not loaded has only its primary key.
  if (!isLoaded && !properties.primaryKey.includes(column.name)) return undefined;
  const value = keyOf(valueAtPath(owner, column.name));
  if (value === undefined) return properties.isLazy(column.name) ? undefined : null;
  // SQLite drivers round the integer before MikroORM makes it a bigint or a string.
  const isRounded = engine === 'sqlite' && column.type === 'bigint' && column.json === undefined;
  if (isRounded && !Number.isSafeInteger(Number(value))) return undefined;
  return keyValueOf(value, column);
}

interface Keyed {
  getPrimaryKey(): unknown;
}

/**
 * Returns the primary key of a related row, which may be a relation, and the value of a scalar
 * reference (`ref: true`). Keeps other values.
 */
function keyOf(value: unknown): unknown {
  if (Utils.isScalarReference(value)) return value.unwrap();
  if (!Utils.isEntity<object>(value, true)) return value;
  // The method is missing in MikroORM's types.
  const related = wrap(Reference.unwrapReference<object>(value)) as unknown as Keyed;
  return keyOf(related.getPrimaryKey());
}

/** A cursor requires lazy sort keys. If the query has `fields`, these already contain the keys. */
function populateOf({ sort, fields }: ResolvedQuery, entity: EntityProperties) {
  const lazy = sort
    .filter(({ column }) => column.relation === undefined && entity.isLazy(column.name))
    .map(({ column }) => column.name);
  return fields === undefined && lazy.length > 0 ? { populate: lazy as '*'[] } : {};
}

function fieldsOf({ fields }: ResolvedQuery): { fields?: readonly '*'[] } {
  if (fields === undefined) return {};
  return { fields: outermost(fields.map(({ name }) => name)) as '*'[] };
}

/** Returns plain objects, because MikroORM would save changes of entities. */
function projectionOf<Entity extends object>(
  query: ResolvedQuery,
  { paths }: EntityProperties,
): ProjectRow<Entity> {
  const { fields } = query;
  if (fields === undefined) return (row) => row;
  const isAsked = (path: string) =>
    fields.some(({ name }) => path === name || path.startsWith(`${name}.`));
  // A row may also be a related row of another row. MikroORM then has only one object, with the
  // fields of both rows.
  const others = paths.filter((path) => !isAsked(path)).map((name) => ({ field: name, name }));
  const cut = projectionByPath(query, () => [...pathsBeside(query), ...others]);
  return (row) => cut(wrap(row).toObject()) as Partial<typeof row>;
}

/** Cached, because the specs belong to the entity. */
const specsOf = cacheByObject((entity: EntityProperties) => derivedSpecs(entity));
