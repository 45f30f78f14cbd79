import type { PipelineStage, Query } from 'mongoose';
import { contentOfConfig } from '../config/config-content.js';
import { onceFor, onceForContent } from '../config/once-for.js';
import { type KeysetOptions, keysetPage } from '../cursor/keyset-page.js';
import type { Condition } from '../cursor/keyset.js';
import { queryConditions } from '../cursor/query-conditions.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import type { ColumnType } from '../resolve/column.js';
import { type DerivedQueryConfig, derivedSpec } from '../resolve/derived-columns.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';
import { type FilterContext, filterOf, type MongoFilter } from './condition-filter.js';
import { pipelineOf, type SortPairs, sortPairsOf } from './pipeline.js';
import { columnsOfSchema, pathOf, type PathsOfSchema } from './schema-columns.js';

/** A model, as far as it is looked at: of Mongoose's own type the generics depend on the schema's options. */
export interface QueriedModel<Doc> {
  readonly modelName: string;
  readonly schema: PathsOfSchema;
  readonly base: { trusted(operators: object): object; readonly version?: string };
  /** Never called: says what the documents are. */
  castObject(document: object): Doc;
}

// By way of a function, because the type has another name in Mongoose 8.
type FilterOf<Doc> = ReturnType<Query<unknown, Doc, object, Doc>['getFilter']>;

/** The arguments of `Model.find`, and the same for `Model.aggregate`. */
export interface MongooseQuery<Doc> {
  /** `{}` when every document will do. `Model.countDocuments` takes it too. */
  readonly filter: FilterOf<Doc>;
  /** In MongoDB's order NULLs come first when ascending; `pipeline` puts them last. */
  readonly sort: SortPairs;
  readonly skip: number;
  readonly limit: number;
  /** The page with NULLs last in either direction. Its rows are plain objects. */
  readonly pipeline: PipelineStage[];
}

/** A page that starts behind a cursor. */
export interface MongooseKeysetQuery {
  readonly pipeline: PipelineStage[];
  /** The cursor of the page behind this row. */
  readonly cursorOf: (row: object) => string;
}

/** Paths of the schema: `address.city` for what is nested. Also parses. */
export type MongooseQueryConfig = DerivedQueryConfig;

export interface MongooseAdapter<Doc> extends CheckingAdapter<
  MongooseQuery<Doc>,
  MongooseQueryConfig
> {
  /** For `aggregate` alone: `find` cannot order as cursors need it. */
  buildKeyset(
    parsed: AnyParsedQuery,
    config: MongooseQueryConfig,
    options: KeysetOptions,
  ): MongooseKeysetQuery;
}

/**
 * Queries for a model; its paths are read from the schema, once for each config.
 *
 * @example
 * ```ts
 * const { filter, sort, skip, limit } = mongooseAdapter(TaskModel).build(parsed, { filterable: ['status'] });
 * const data = await TaskModel.find(filter).sort(sort).skip(skip).limit(limit);
 * const total = await TaskModel.countDocuments(filter);
 * ```
 */
export function mongooseAdapter<Doc>(model: QueriedModel<Doc>): MongooseAdapter<Doc> {
  const { specOf, context } = knowledgeOf(model);
  return {
    name: 'mongoose',
    check: (config) => void specOf(config),
    build(parsed, config) {
      const query = resolveQuery(parsed, specOf(config));
      const filter = wholeFilterOf(queryConditions(query), context);
      return {
        filter: filter,
        sort: sortPairsOf(query.sort),
        skip: query.pagination.offset,
        limit: query.pagination.limit,
        pipeline: pipelineOf(filter, query.sort, query.pagination),
      };
    },
    buildKeyset(parsed, config, options) {
      const query = resolveQuery(parsed, specOf(config));
      const page = keysetPage(query, { read: valueAt, ...options });
      const filter = wholeFilterOf(queryConditions(query, page.where), context);
      return {
        pipeline: pipelineOf(filter, query.sort, { ...query.pagination, offset: 0 }),
        cursorOf: (row) => page.cursorOf(row),
      };
    },
  };
}

const knowledgeOf = onceFor((model: QueriedModel<unknown>) => {
  checkPeer('mongoose', '@fledge/query/mongoose', model.base.version);
  const source = columnsOfSchema(model.modelName, model.schema);
  const context: FilterContext = {
    // From the model's own Mongoose, of which an application may have two.
    trusted: (operators) => model.base.trusted(operators),
    // Cast here, because a pipeline is not cast by Mongoose.
    stored: (value, { name, type }) =>
      CAST.has(type) ? (pathOf(model.schema, name)?.type.cast(value) as unknown) : value,
  };
  return {
    context,
    specOf: onceForContent(contentOfConfig, (config: MongooseQueryConfig) =>
      derivedSpec(config, source),
    ),
  };
});

const CAST: ReadonlySet<ColumnType> = new Set(['objectId', 'uuid', 'decimal']);

/** All of the conditions; `{}` when every document will do. */
function wholeFilterOf(conditions: readonly Condition[], context: FilterContext): MongoFilter {
  return conditions.length === 0 ? {} : filterOf({ kind: 'and', conditions }, context);
}

/** What stands at the path in a row, null where nothing does; values of BSON's own types as text. */
function valueAt(row: object, { column }: ResolvedSort): unknown {
  let value: unknown = row;
  for (const name of column.name.split('.')) {
    value = (value as Record<string, unknown> | null | undefined)?.[name];
  }
  if (typeof value !== 'object' || value instanceof Date) return value ?? null;
  // A UUID may be a buffer, or a Binary.
  if (column.type === 'uuid' && value) return uuidOf((value as Buffer).toString('hex'));
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- ObjectId, UUID, Decimal128 and Long say what they are
  return value === null ? null : String(value);
}

function uuidOf(hex: string): string {
  return hex.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
