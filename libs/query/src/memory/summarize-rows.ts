import { InvalidQueryError } from '../query.errors.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { compareValues } from '../resolve/compare-values.js';
import { sumOfDecimals } from '../summary/exact-number.js';
import { finishSummary, type FinishedGroups } from '../summary/finish-groups.js';
import { periodName, startsBetween } from '../summary/periods.js';
import type {
  PlannedAggregate,
  PlannedGroups,
  PlannedKey,
  SummaryPlan,
} from '../summary/plan-summary.js';
import { aggregateOf, tooManyPeriods } from '../summary/read-summary.js';
import type { Summary, SummaryValue } from '../summary/summary.js';
import { localTimeOf, summaryValueOf } from '../summary/summary-value.js';
import { type OffsetAt, offsetsOf } from '../summary/zone-offset.js';
import { type OwnPredicate, queryPredicate } from './predicate.js';
import { rowValueOf } from './row-value.js';

export function summarizeRows(
  plan: SummaryPlan,
  rows: readonly object[],
  own?: OwnPredicate,
): Promise<Summary> {
  return finishSummary(plan, (part) => {
    const found = rows.filter(queryPredicate(part.query, own));
    return Promise.resolve(groupRows(found, part, offsetsOf(plan.timeZone)));
  });
}

function groupRows(
  rows: readonly object[],
  { keys, aggregates }: PlannedGroups,
  offsetAt: OffsetAt,
): FinishedGroups {
  for (const key of keys) checkPeriods(rows, key, offsetAt);
  const byKeys = new Map<string, object[]>();
  // Without keys there is one group, even if there are no rows.
  if (keys.length === 0) byKeys.set('[]', []);
  for (const row of rows) {
    const id = JSON.stringify(keys.map((key) => keyOf(row, key, offsetAt)));
    const group = byKeys.get(id) ?? [];
    group.push(row);
    byKeys.set(id, group);
  }
  const groups = [...byKeys].map(([id, members]) => ({
    keys: JSON.parse(id) as SummaryValue[],
    count: members.length,
    values: aggregates.map((aggregate) => aggregateOfRows(members, aggregate)),
  }));
  return { groups, total: groups.length };
}

function keyOf(row: object, { column, period }: PlannedKey, offsetAt: OffsetAt): SummaryValue {
  if (period === undefined) return summaryValueOf(rowValueOf(row, column), column);
  const time = localTimeOf(rowValueOf(row, column), column);
  if (time === undefined) return null;
  return periodName(column.type === 'date' ? time : time + offsetAt(time), period);
}

/** @throws InvalidQueryError if the dates have too many periods, or if a date is infinite */
function checkPeriods(rows: readonly object[], key: PlannedKey, offsetAt: OffsetAt): void {
  const { column, period } = key;
  if (period === undefined) return;
  const times = rows.flatMap((row) => localTimeOf(rowValueOf(row, column), column) ?? []);
  if (times.length === 0) return;
  const [first, last] = [
    times.reduce((a, b) => Math.min(a, b)),
    times.reduce((a, b) => Math.max(a, b)),
  ];
  const local = (time: number) => (column.type === 'date' ? time : time + offsetAt(time));
  const isFinite = Number.isFinite(first) && Number.isFinite(last);
  if (isFinite && startsBetween(local(first), local(last), period)) return;
  throw new InvalidQueryError([tooManyPeriods(key)]);
}

function aggregateOfRows(rows: readonly object[], aggregate: PlannedAggregate): SummaryValue {
  const { operator, column } = aggregate;
  const values = rows.flatMap((row) => rowValueOf(row, column) ?? []);
  if (values.length === 0) return null;
  const isExtreme = operator === 'min' || operator === 'max';
  const value = isExtreme ? extremeOf(values, operator, column) : sumOf(values, column);
  return aggregateOf(aggregate, [value, values.length]);
}

function extremeOf(
  values: readonly ColumnValue[],
  operator: 'min' | 'max',
  column: QueryColumn,
): ColumnValue {
  const sign = operator === 'min' ? 1 : -1;
  return values.reduce((a, b) => (compareValues(a, b, column) * sign <= 0 ? a : b));
}

function sumOf(values: readonly ColumnValue[], { type }: QueryColumn): ColumnValue {
  if (type !== 'number') return sumOfDecimals(values.map(String)) ?? 'NaN';
  return values.reduce<number>((sum, value) => sum + Number(value), 0);
}
