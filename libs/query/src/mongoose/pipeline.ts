import type { PipelineStage } from 'mongoose';
import type { PaginationParams } from '../parse/parsed-query.js';
import type { ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { outermost } from '../resolve/row-members.js';
import type { MongoFilter } from './condition-filter.js';

/** The sort argument of `Query.sort()`. */
export type SortPairs = [path: string, direction: 1 | -1][];

/** The order for `find`, where NULL is the smallest value. */
export function sortPairsOf(sort: readonly ResolvedSort[]): SortPairs {
  return sort.map(({ column, direction }) => [column.name, direction === 'asc' ? 1 : -1]);
}

/** What `find` and `$project` return of a document. */
export type Projection = Record<string, 1>;

/** The members that were asked for; undefined for the whole document. */
export function projectionOf({ fields }: Pick<ResolvedQuery, 'fields'>): Projection | undefined {
  if (fields === undefined) return undefined;
  const paths = outermost(fields.map(({ name }) => name));
  return Object.fromEntries(paths.map((path) => [path, 1]));
}

/** Match, order with NULLs last, page. Only an ascending nullable key needs an additional stage. */
export function pipelineOf(
  filter: MongoFilter,
  sort: readonly ResolvedSort[],
  { offset, limit }: PaginationParams,
  projection: Projection | undefined,
): PipelineStage[] {
  const ranks: Record<string, object> = {};
  const order: Record<string, 1 | -1> = {};
  for (const [i, [path, direction]] of sortPairsOf(sort).entries()) {
    if (direction === 1 && sort[i]?.column.nullable !== false) {
      const rank = `__is_null_${i}`;
      ranks[rank] = { $eq: [{ $ifNull: [`$${path}`, null] }, null] };
      order[rank] = 1;
    }
    order[path] = direction;
  }
  const ranked = Object.keys(ranks);
  return [
    { $match: filter },
    ...(ranked.length > 0 ? [{ $addFields: ranks }] : []),
    ...(sort.length > 0 ? [{ $sort: order }] : []),
    ...(offset > 0 ? [{ $skip: offset }] : []),
    { $limit: limit },
    ...cut(projection, ranked),
  ];
}

/** Leaves out members that were not asked for, and the ranks by which the order was made. */
function cut(projection: Projection | undefined, ranks: readonly string[]): PipelineStage[] {
  if (projection !== undefined) return [{ $project: projection }];
  return ranks.length > 0 ? [{ $unset: [...ranks] }] : [];
}
