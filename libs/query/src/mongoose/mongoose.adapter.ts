import type { PipelineStage, Query } from 'mongoose';
import { cacheByObject } from '../config/cache-by-object.js';
import { type SearchHook, searchedBy } from '../config/search-hook.js';
import { type KeysetAdapter, keysetPage, keysetQuery } from '../page/keyset-page.js';
import { joinedByAnd, queryConditions } from '../resolve/query-conditions.js';
import { type CursorPage, projectionByPath, withProject } from '../page/row-projection.js';
import type { ColumnType } from '../resolve/column.js';
import { type DerivedQueryConfig, derivedSpecs } from '../resolve/derived-columns.js';
import { valueAtPath } from '../resolve/property-path.js';
import { refuseNested } from '../resolve/json-column.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { withFetchedKeys } from '../resolve/selected-fields.js';
import type { Condition, ResolvedSort } from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';
import { type FilterContext, filterOf, type MongoFilter } from './condition-filter.js';
import {
  findSortOf,
  pipelineOf,
  type Projection,
  projectionOf,
  type SortPairs,
} from './pipeline.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { type GroupedQuery, summarize } from '../summary/read-summary.js';
import type { Summary } from '../summary/summary.js';
import { groupReader, type MongooseSummarySource, plainOf } from './summarize-mongoose.js';
import {
  columnsOfSchema,
  type FoundPath,
  pathOf,
  type PathsOfSchema,
  schemaWithin,
} from './schema-columns.js';

/**
 * The parts of a Mongoose model that the adapter uses. The type parameters of `Model` depend on
 * schema options.
 */
export interface QueriedModel<Doc> {
  readonly modelName: string;
  readonly schema: PathsOfSchema;
  readonly base: { trusted(operators: object): object; readonly version?: string };
  /** Never called. TypeScript infers `Doc` from it. */
  castObject(document: object): Doc;
}

// The type has another name in Mongoose 8, so it is taken from a method.
type FilterOf<Doc> = ReturnType<Query<unknown, Doc, object, Doc>['getFilter']>;

/** Arguments of `Model.find`, and a pipeline for `Model.aggregate`. */
export interface MongooseQuery<Doc> {
  /** `{}` if there are no conditions. Also use `filter` for `Model.countDocuments`. */
  readonly filter: FilterOf<Doc>;
  /**
   * The order for `find`. MongoDB puts NULLs first in ascending order and last in descending order.
   * Use `pipeline` to put NULLs where the config says. Reading `sort` throws an `InvalidQueryError`
   * for a descending order with `nulls: 'first'`.
   */
  readonly sort: SortPairs;
  readonly skip: number;
  readonly limit: number;
  /**
   * The projection for `find(filter, projection)`. It contains the fields that the query parameter
   * `fields` requests. Undefined without `fields`.
   */
  readonly projection?: Projection;
  /**
   * Returns the page as plain objects. Omits paths that have `select: false` in the schema. NULLs
   * are where the config says, in both directions.
   */
  readonly pipeline: PipelineStage[];
}

/**
 * A page with a cursor. It works only with `aggregate`, because `find` cannot change the position
 * of NULLs.
 */
export interface MongooseKeysetQuery extends CursorPage {
  /** Returns the page. Omits paths that have `select: false` in the schema. */
  readonly pipeline: PipelineStage[];
}

/**
 * Paths of the schema. For example, `address.city` is a nested path, and `tags.name` is in an array
 * of subdocuments. `parseQuery` also accepts this config.
 */
export type MongooseQueryConfig = DerivedQueryConfig & SearchHook<object>;

/** The adapter of one Mongoose model. */
export interface MongooseAdapter<Doc> extends KeysetAdapter<
  MongooseQuery<Doc>,
  MongooseKeysetQuery,
  MongooseQueryConfig
> {
  /**
   * Returns the results of `facets`, `aggregate` and `group`. Returns `{}` if the query has none of
   * these parameters.
   * @param rows a function that runs a pipeline: `(pipeline) => TaskModel.aggregate(pipeline)`. You
   * may add your own `$match` at the start of the pipeline
   */
  summarize(
    parsed: AnyParsedQuery,
    config: MongooseQueryConfig,
    rows: MongooseSummarySource,
  ): Promise<Summary>;
}

/**
 * Translates queries for a model. Reads the paths of the model from its schema, once per config.
 *
 * @throws InvalidQueryError if a value does not fit its column, or if a cursor is invalid
 * @throws InvalidQueryConfigError
 * @example
 * ```ts
 * const { filter, sort, skip, limit } = mongooseAdapter(TaskModel).build(parsed, { filterable: ['status'] });
 * const data = await TaskModel.find(filter).sort(sort).skip(skip).limit(limit);
 * const total = await TaskModel.countDocuments(filter);
 * ```
 */
export function mongooseAdapter<Doc>(model: QueriedModel<Doc>): MongooseAdapter<Doc> {
  const { specOf, context, ...methods } = translationOf(model);
  return {
    name: 'mongoose',
    ...methods,
    build(parsed, config) {
      const query = resolveQuery(parsed, specOf(config));
      const filter = wholeFilterOf(queryConditions(query), context, searchedBy(parsed, config));
      const projection = projectionOf(query);
      return {
        filter,
        get sort() {
          return findSortOf(query.sort);
        },
        skip: query.pagination.offset,
        limit: query.pagination.limit,
        ...(projection && { projection }),
        pipeline: pipelineOf(filter, query, projection, model.schema),
      };
    },
    buildKeyset(parsed, config, options) {
      const spec = specOf(config);
      const query = keysetQuery(resolveQuery(parsed, spec), spec, options);
      const page = keysetPage(query, { read: valueAt, ...options });
      const filter = wholeFilterOf(
        queryConditions(query, page.where),
        context,
        searchedBy(parsed, config),
      );
      const projection = projectionOf(withFetchedKeys(query));
      const pipeline = pipelineOf(filter, query, projection, model.schema);
      const cursorOf = (row: object) => page.cursorOf(row);
      return withProject({ pipeline, cursorOf }, projectionByPath(query));
    },
  };
}

const translationOf = cacheByObject((model: QueriedModel<unknown>) => {
  checkPeer('mongoose', '@fledge/query/mongoose', model.base.version);
  const derived = derivedSpecs(columnsOfSchema(model.modelName, model.schema));
  const specOf = cacheByObject((config: DerivedQueryConfig) => {
    const spec = derived(config);
    refuseNested(
      spec,
      'Mongoose',
      'Use a schema path, such as settings.theme, without the options `json` and `array`.',
    );
    return spec;
  });
  const context = contextOf(model, model.schema);
  return {
    context,
    specOf,
    check: (config: MongooseQueryConfig) => void specOf(config),
    summarize: async (
      parsed: AnyParsedQuery,
      config: MongooseQueryConfig,
      rows: MongooseSummarySource,
    ) =>
      summarize(parsed, specOf(config), () => {
        const own = searchedBy(parsed, config);
        const filterOf = (query: GroupedQuery['query']) =>
          wholeFilterOf(queryConditions(query), context, own);
        return groupReader(rows, filterOf);
      }),
  };
});

function contextOf(
  { base }: Pick<QueriedModel<unknown>, 'base'>,
  schema: PathsOfSchema,
): FilterContext {
  return {
    // The Mongoose installation of the model, because an application may load two copies.
    trusted: (operators) => base.trusted(operators),
    // Mongoose does not cast the values of a pipeline.
    stored: (value, { name, type }) =>
      CAST.has(type) ? (pathOf(schema, name)?.type.cast(value) as unknown) : value,
    within({ name }) {
      // Never undefined, because the columns of the config were found through this array.
      const array = pathOf(schema, name) as FoundPath;
      return contextOf({ base }, schemaWithin(array.type) as PathsOfSchema);
    },
  };
}

const CAST: ReadonlySet<ColumnType> = new Set(['objectId', 'uuid', 'decimal']);

function wholeFilterOf(
  conditions: readonly Condition[],
  context: FilterContext,
  own: object | undefined,
): MongoFilter {
  return joinedByAnd(
    '$and',
    conditions.map((condition) => filterOf(condition, context)),
    own,
  );
}

/** Returns null if the value is missing, and a string for BSON types. */
function valueAt(row: object, { column }: ResolvedSort): unknown {
  return plainOf(valueAtPath(row, column.name), column) ?? null;
}
