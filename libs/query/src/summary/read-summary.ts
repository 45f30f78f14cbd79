import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { groupOf } from '../resolve/condition-group.js';
import type { Condition, QuerySpec, ResolvedQuery } from '../resolve/resolved-query.js';
import { throughRelations } from '../resolve/through-relations.js';
import { averageOfDecimals, roundedFloat, sumOfDecimals } from './exact-number.js';
import { finishSummary, type FinishedGroup, type FinishedGroups } from './finish-groups.js';
import { MOST_PERIODS, segmentsBetween } from './periods.js';
import {
  type PlannedAggregate,
  type PlannedGroups,
  type PlannedKey,
  planSummary,
  type SummaryPlan,
} from './plan-summary.js';
import type { Summary, SummaryValue } from './summary.js';
import { decimalTextOf, localTimeOf, summaryValueOf } from './summary-value.js';
import { offsetsOf } from './zone-offset.js';

/** The groups that an adapter must read. */
export interface GroupedQuery {
  readonly query: Pick<ResolvedQuery, 'filters' | 'where' | 'search'>;
  readonly keys: readonly GroupKey[];
  readonly measures: readonly Measure[];
  /**
   * Maximum number of groups. The groups with the most rows are returned. Groups of equal size are
   * sorted by their keys, ascending, NULL first.
   */
  readonly limit: number;
}

/**
 * An expression to group by. It is the value of a column, or with `spans` the number of the time
 * span that contains the value.
 */
export interface GroupKey {
  readonly column: QueryColumn;
  readonly spans?: readonly Span[];
}

/** A span of time. It ends where the next span starts. */
export interface Span {
  /** The start of the span. It is a moment or a day, in the format of filter values. */
  readonly from: ColumnValue;
  /** The number to group by. Spans of the same period have the same number. */
  readonly index: number;
}

/** A number to compute for each group. `values` is the number of values that are not NULL. */
export interface Measure {
  readonly operator: 'sum' | 'min' | 'max' | 'values';
  readonly column: QueryColumn;
}

/** The caller must join the related rows of these columns. */
export function groupedColumns({ keys, measures }: GroupedQuery): readonly OfColumn[] {
  return [...keys, ...measures];
}

interface OfColumn {
  readonly column: QueryColumn;
}

/** A group as the driver returns it. */
export interface GroupedRow {
  readonly keys: readonly unknown[];
  readonly count: unknown;
  /** The number of groups, without `limit`. */
  readonly total: unknown;
  readonly measures: readonly unknown[];
}

/**
 * Reads groups. A sum may be a string. `high;low` is a sum of integers and means `high * 2^30 +
 * low`. `sum;size` is a sum of decimals that the database stores as floating point. `size` is the
 * sum of their absolute values.
 */
export type ReadGroups = (query: GroupedQuery) => Promise<readonly GroupedRow[]>;

/**
 * Returns `{}` if the query requests no groups.
 * @param readerOf is called after the filters are checked
 */
export async function summarize(
  parsed: AnyParsedQuery,
  spec: QuerySpec,
  readerOf: () => ReadGroups,
): Promise<Summary> {
  const plan = planSummary(parsed, spec);
  if (plan === undefined) return {};
  const read = readerOf();
  return finishSummary(plan, (part) => readGroups(part, plan, read));
}

async function readGroups(
  part: PlannedGroups,
  { timeZone, limit }: SummaryPlan,
  read: ReadGroups,
): Promise<FinishedGroups> {
  const dated = await periodsOf(part, timeZone, read);
  const measures = part.aggregates.flatMap(measuresOf);
  const inRange = dated.flatMap(({ range }) => range ?? []);
  const query = { ...part.query, filters: [...part.query.filters, ...inRange] };
  const keys = dated.map(({ column, spans }) => ({ column, ...(spans && { spans }) }));
  const rows = await read({ query, keys, measures, limit });
  const groups = rows.map((row): FinishedGroup => {
    const left = [...row.measures];
    return {
      keys: dated.map((key, i) => keyValueOf(row.keys[i], key)),
      count: Number(row.count),
      values: part.aggregates.map((each) =>
        aggregateOf(each, left.splice(0, measuresOf(each).length)),
      ),
    };
  });
  return { groups, total: Number(rows[0]?.total ?? 0) };
}

interface DatedKey extends GroupKey {
  /** The names of the periods. The `index` of a span is the position of the name. */
  readonly names?: readonly string[];
  /** Excludes rows that changed after the periods were read. */
  readonly range?: Condition;
}

async function periodsOf(
  { query, keys }: PlannedGroups,
  timeZone: string,
  read: ReadGroups,
): Promise<DatedKey[]> {
  const dates = keys.filter(({ period }) => period !== undefined);
  if (dates.length === 0) return keys.map(({ column }) => ({ column }));
  const measures = dates.flatMap(({ column }): Measure[] => [
    { operator: 'min', column },
    { operator: 'max', column },
  ]);
  const [row] = await read({ query, keys: [], measures, limit: 1 });
  return keys.map((key) => {
    const { column } = key;
    const at = dates.indexOf(key) * 2;
    if (at < 0) return { column };
    const first = localTimeOf(row?.measures[at], column);
    const last = localTimeOf(row?.measures[at + 1], column);
    return datedKeyOf(key, [first, last], timeZone);
  });
}

function datedKeyOf(
  key: PlannedKey,
  [first, last]: readonly [number | undefined, number | undefined],
  timeZone: string,
): DatedKey {
  const { column, period } = key;
  if (period === undefined || first === undefined || last === undefined) {
    return { column, spans: [{ from: valueAt(0, column), index: 0 }], names: [''] };
  }
  const isFinite = Number.isFinite(first) && Number.isFinite(last);
  const offsetAt = column.type === 'date' ? () => 0 : offsetsOf(timeZone);
  const segments = isFinite ? segmentsBetween([first, last], period, offsetAt) : undefined;
  if (segments === undefined) throw new InvalidQueryError([tooManyPeriods(key)]);
  const names = [...new Set(segments.map(({ name }) => name))];
  return {
    column,
    spans: segments.map(({ from, name }) => ({
      from: valueAt(from, column),
      index: names.indexOf(name),
    })),
    names,
    range: rangeOf(key, first, last),
  };
}

export function tooManyPeriods({ field, period }: PlannedKey): QueryProblem {
  const expected =
    `at most ${MOST_PERIODS} periods of one ${period}; ` +
    `filter by "${field}", or group by longer periods`;
  return { kind: 'group', field, reason: 'too-many', expected };
}

function valueAt(time: number, { type }: QueryColumn): ColumnValue {
  const date = new Date(time);
  return type === 'date' ? date.toISOString().slice(0, 10) : date;
}

const DAY = 86_400_000;

/** Databases cannot compare later dates. */
const YEAR_10000 = Date.UTC(10_000, 0);

/** Ends one millisecond later, because drivers cut off microseconds of the last timestamp. */
function rangeOf({ field, column }: PlannedKey, first: number, last: number): Condition {
  const end = last + (column.type === 'date' ? DAY : 1);
  const compare = { kind: 'compare', field, column } as const;
  const from = { ...compare, operator: 'gte', value: valueAt(first, column) } as const;
  const before = { ...compare, operator: 'lt', value: valueAt(end, column) } as const;
  return groupOf('or', [
    groupOf('and', (end < YEAR_10000 ? [from, before] : [from]).map(throughRelations)),
    throughRelations({ kind: 'null', field, column, isNull: true }),
  ]);
}

function keyValueOf(value: unknown, { column, names }: DatedKey): SummaryValue {
  if (names === undefined) return summaryValueOf(value, column);
  return value === null || value === undefined ? null : (names[Number(value)] ?? null);
}

function measuresOf({ operator, column }: PlannedAggregate): Measure[] {
  if (operator !== 'avg') return [{ operator, column }];
  return [
    { operator: 'sum', column },
    { operator: 'values', column },
  ];
}

/**
 * Returns the final form of an aggregate. Averages are computed here, because databases round them
 * differently.
 * @param value the smallest or largest value, or the sum
 * @param values the number of values, for an average
 */
export function aggregateOf(
  { operator, column }: PlannedAggregate,
  [value, values]: readonly unknown[],
): SummaryValue {
  if (value === null || value === undefined) return null;
  if (operator === 'min' || operator === 'max') return summaryValueOf(value, column);
  if (column.type === 'number') {
    const sum = Number(value);
    return summaryValueOf(roundedFloat(operator === 'avg' ? sum / Number(values) : sum), column);
  }
  const sum = sumTextOf(value, column);
  if (operator === 'sum') return summaryValueOf(sum, column);
  const average = averageOfDecimals(sum, Number(values));
  return column.type === 'integer' ? Number(average) : average;
}

function sumTextOf(value: unknown, { type }: QueryColumn): string {
  const text = decimalTextOf(value) ?? '0';
  const [first = '', second] = text.split(';');
  if (second === undefined) return sumOfDecimals([text]) ?? text;
  if (type !== 'decimal') return String(BigInt(first) * 2n ** 30n + BigInt(second));
  // Keeps 15 digits, relative to `size`. Further digits are lost when larger numbers are added and
  // subtracted.
  const whole = Math.ceil(Math.log10(Math.max(Number(second), 1)));
  return Number(first).toFixed(Math.min(Math.max(14 - whole, 0), 14));
}
