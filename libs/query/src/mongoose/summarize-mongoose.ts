import { isHexadecimal } from '../config/column-types.js';
import type { PipelineStage } from 'mongoose';
import type { QueryColumn } from '../resolve/column.js';
import type {
  GroupedQuery,
  GroupedRow,
  GroupKey,
  Measure,
  ReadGroups,
  Span,
} from '../summary/read-summary.js';
import type { MongoFilter } from './condition-filter.js';

/**
 * Runs a pipeline for the documents to summarize: `(pipeline) => TaskModel.aggregate(pipeline)`.
 */
export type MongooseSummarySource = (pipeline: PipelineStage[]) => PromiseLike<readonly object[]>;

export function groupReader(
  rows: MongooseSummarySource,
  filterOf: (query: GroupedQuery['query']) => MongoFilter,
): ReadGroups {
  return async (grouped) => {
    const [found] = await rows(groupPipelineOf(grouped, filterOf(grouped.query)));
    const { groups = [], total = [] } = (found ?? {}) as FoundGroups;
    const rowsFound = groups.map((group) => groupedRowOf(group, grouped, total[0]?.count));
    // MongoDB returns no group if there are no documents.
    if (grouped.keys.length > 0 || rowsFound.length > 0) return rowsFound;
    return [{ keys: [], count: 0, total: 1, measures: grouped.measures.map(() => null) }];
  };
}

interface FoundGroups {
  readonly groups?: readonly FoundGroup[];
  readonly total?: readonly { readonly count: number }[];
}

interface FoundGroup extends Readonly<Record<string, unknown>> {
  readonly _id: Readonly<Record<string, unknown>> | null;
}

function groupPipelineOf(
  { keys, measures, limit }: GroupedQuery,
  filter: MongoFilter,
): PipelineStage[] {
  const id = keys.map((key, i): [string, unknown] => [`k${i}`, keyOf(key)]);
  const sums = measures.flatMap((measure, i): [string, object][] => [
    [`m${i}`, measureOf(measure)],
    // Needed because MongoDB returns 0 as the sum of no numbers.
    [`n${i}`, { $sum: { $cond: [isNull(measure.column), 0, 1] } }],
  ]);
  const order = keys.map((_, i): [string, 1] => [`_id.k${i}`, 1]);
  return [
    { $match: filter },
    {
      $group: {
        _id: keys.length === 0 ? null : Object.fromEntries(id),
        count: { $sum: 1 },
        ...Object.fromEntries(sums),
      },
    },
    {
      $facet: {
        groups: [{ $sort: { count: -1, ...Object.fromEntries(order) } }, { $limit: limit }],
        total: [{ $count: 'count' }],
      },
    },
  ] as PipelineStage[];
}

function groupedRowOf(
  group: FoundGroup,
  { keys, measures }: GroupedQuery,
  total: unknown,
): GroupedRow {
  return {
    keys: keys.map(({ column, spans }, i) => {
      const value = group._id?.[`k${i}`];
      return spans ? value : plainOf(value, column);
    }),
    count: group['count'],
    total,
    measures: measures.map(({ operator, column }, i) => {
      if (operator === 'values') return group[`n${i}`];
      return Number(group[`n${i}`]) === 0 ? null : plainOf(group[`m${i}`], column);
    }),
  };
}

/** Returns a string for BSON types: ObjectId, UUID, Decimal128 and Long. */
export function plainOf(value: unknown, { type }: QueryColumn): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (type !== 'uuid') return String(value as { toString(): string });
  // A UUID is a buffer or a Binary.
  const hex = (value as Buffer).toString('hex').replaceAll('-', '');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function valueOf({ name }: QueryColumn): object {
  // Treats a missing value as NULL.
  return { $ifNull: [`$${name}`, null] };
}

function isNull(column: QueryColumn): object {
  return { $eq: [valueOf(column), null] };
}

function keyOf({ column, spans }: GroupKey): unknown {
  const value = valueOf(column);
  if (spans) return { $cond: [isNull(column), null, spanOf(spans, value)] };
  const { type, asText } = column;
  const isText = isHexadecimal(type) && asText !== false;
  if (isText) return { $cond: [isNull(column), null, { $toLower: value }] };
  return type === 'bigint' ? { $cond: [isNull(column), null, { $toString: value }] } : value;
}

/** A search tree. Returns the number of the time span that contains the date. */
function spanOf(spans: readonly Span[], value: object): unknown {
  const middle = Math.ceil(spans.length / 2);
  const [first, next] = [spans[0], spans[middle]];
  if (first === undefined || next === undefined) return { $literal: first?.index ?? 0 };
  return {
    $cond: [
      { $lt: [value, { $literal: next.from }] },
      spanOf(spans.slice(0, middle), value),
      spanOf(spans.slice(middle), value),
    ],
  };
}

function measureOf({ operator, column }: Measure): object {
  const value = valueOf(column);
  // Converted to a decimal, because the driver reads 64-bit integers as floating point. MongoDB
  // also uses floating point if a sum exceeds 64 bits.
  const isExact = column.type === 'bigint' || column.type === 'decimal';
  const exact = isExact ? { $toDecimal: value } : value;
  if (operator === 'values') return { $sum: 0 };
  return { [`$${operator}`]: exact };
}
