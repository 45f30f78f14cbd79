import type { PipelineStage } from 'mongoose';
import { hasNativeNulls, refuseNullsFirst } from '../resolve/database-nulls.js';
import type { ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { outermost } from '../resolve/row-members.js';
import type { MongoFilter } from './condition-filter.js';
import { hiddenPathsOf, isWithin, type PathsOfSchema } from './schema-columns.js';

/** The argument of `Query.sort()`. */
export type SortPairs = [path: string, direction: 1 | -1][];

/** @throws InvalidQueryError if a descending sort key has `nulls: 'first'` */
export function findSortOf(sort: readonly ResolvedSort[]): SortPairs {
  refuseNullsFirst(sort, 'smallest');
  return sort.map((key) => [key.column.name, directionOf(key)]);
}

function directionOf({ direction }: ResolvedSort): 1 | -1 {
  return direction === 'asc' ? 1 : -1;
}

/** The projection for `find` and `$project`. */
export type Projection = Record<string, 1>;

/** Returns undefined if the whole document is requested. */
export function projectionOf({ fields }: Pick<ResolvedQuery, 'fields'>): Projection | undefined {
  if (fields === undefined) return undefined;
  const paths = outermost(fields.map(({ name }) => name));
  return Object.fromEntries(paths.map((path) => [path, 1]));
}

/** If MongoDB would put NULLs at the wrong end, another stage adds ranks to sort by. */
export function pipelineOf(
  filter: MongoFilter,
  { sort, pagination: { offset, limit } }: Pick<ResolvedQuery, 'sort' | 'pagination'>,
  projection: Projection | undefined,
  schema: PathsOfSchema,
): PipelineStage[] {
  const ranks: Record<string, object> = {};
  const order: Record<string, 1 | -1> = {};
  for (const [i, key] of sort.entries()) {
    const path = key.column.name;
    if (!hasNativeNulls(key, 'smallest')) {
      const rank = `__is_null_${i}`;
      ranks[rank] = { $eq: [{ $ifNull: [`$${path}`, null] }, null] };
      order[rank] = key.nulls === 'first' ? -1 : 1;
    }
    order[path] = directionOf(key);
  }
  const ranked = Object.keys(ranks);
  return [
    { $match: filter },
    ...(ranked.length > 0 ? [{ $addFields: ranks }] : []),
    ...(sort.length > 0 ? [{ $sort: order }] : []),
    ...(offset > 0 ? [{ $skip: offset }] : []),
    { $limit: limit },
    ...cut(projection, ranked, hiddenPathsOf(schema)),
  ];
}

/** Removes fields that were not requested, hidden fields, and the ranks. */
function cut(
  projection: Projection | undefined,
  ranks: readonly string[],
  hidden: readonly string[],
): PipelineStage[] {
  const asked = Object.keys(projection ?? {});
  const secret = hidden.filter((path) => !asked.some((each) => isWithin(each, path)));
  if (projection === undefined) return unset([...ranks, ...secret]);
  const inside = secret.filter((path) => asked.some((each) => isWithin(path, each)));
  return [{ $project: projection }, ...unset(inside)];
}

function unset(paths: string[]): PipelineStage[] {
  return paths.length > 0 ? [{ $unset: paths }] : [];
}
