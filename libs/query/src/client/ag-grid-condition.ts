import { filter } from '../build/filter.js';
import type { FilterOperator } from '../config/operators.js';
import { type AnyNode, conditionAt, type Place, unbuildable } from './condition.js';

/**
 * Properties of a column that the filter model of AG Grid does not contain. The properties have the
 * same names as in `filterParams`.
 */
export interface AgGridColumn {
  /**
   * Makes `equals` and `notEqual` of text columns case-sensitive. Also set this option for ids and
   * enums.
   * @default false
   */
  readonly caseSensitive?: boolean;
  /**
   * True if `inRange` includes both bounds.
   * @default false
   */
  readonly inRangeInclusive?: boolean;
  /**
   * True if date filters contain timestamps in local time. These timestamps are sent in UTC. False
   * if date filters contain days.
   * @default false
   */
  readonly timestamp?: boolean;
}

/** A condition that is neither a group nor a list of values. */
export interface AgGridCondition {
  readonly filterType?: string;
  readonly type?: string | null;
  readonly filter?: unknown;
  readonly filterTo?: unknown;
  readonly dateFrom?: unknown;
  readonly dateTo?: unknown;
}

/** @throws UnbuildableQueryError */
export function conditionNodeOf(
  id: string,
  condition: AgGridCondition,
  column: AgGridColumn,
): AnyNode {
  const { filterType, type, filter: from, filterTo: to, dateFrom, dateTo } = condition;
  const place = { column: id, operator: type ?? '' };
  if (type === 'blank' || type === 'notBlank') return filter.isnull(id, type === 'blank');
  switch (filterType) {
    case 'text':
    case 'object':
      return textNodeOf(place, from, column);
    case 'number':
    case 'bigint':
      return scalarNodeOf(place, [from, to], column);
    case 'date':
    case 'dateString':
    case 'dateTime':
    case 'dateTimeString': {
      const isTimestamp = column.timestamp === true || filterType.startsWith('dateTime');
      const bounds = [dateFrom ?? from, dateTo ?? to].map((date) =>
        dateAt(place, date, isTimestamp),
      );
      return scalarNodeOf(place, bounds, column);
    }
    case 'boolean':
      if (type === 'true' || type === 'false') return filter.eq(id, type);
      throw unbuildable(place, NO_COUNTERPART);
    default:
      throw unbuildable(place, NO_COUNTERPART);
  }
}

function textNodeOf(place: Place, text: unknown, { caseSensitive = false }: AgGridColumn): AnyNode {
  const { operator } = place;
  if (operator === 'equals' || operator === 'notEqual') {
    if (caseSensitive) return conditionAt(place, operator === 'equals' ? 'eq' : 'neq', text);
    const node = conditionAt(place, 'ieq', text);
    return operator === 'equals' ? node : filter.not(node);
  }
  const positive = TEXT.get(operator);
  if (positive === undefined) throw unbuildable(place, NO_COUNTERPART);
  if (caseSensitive) throw unbuildable(place, 'Text search ignores case. Use `equals` instead.');
  const node = conditionAt(place, positive, text);
  return operator === 'notContains' ? filter.not(node) : node;
}

function scalarNodeOf(
  place: Place,
  [from, to]: readonly unknown[],
  { inRangeInclusive = false }: AgGridColumn,
): AnyNode {
  if (place.operator === 'inRange') {
    if (inRangeInclusive) return conditionAt(place, 'between', [from, to]);
    return filter.and(conditionAt(place, 'gt', from), conditionAt(place, 'lt', to));
  }
  const operator = SCALAR.get(place.operator);
  if (operator === undefined) throw unbuildable(place, NO_COUNTERPART);
  return conditionAt(place, operator, from);
}

/** A date of the grid, in local time: `2026-01-31`, `2026-01-31 10:30:00` or with a T. */
function dateAt(place: Place, date: unknown, isTimestamp: boolean): unknown {
  if (typeof date !== 'string') return date;
  const [, day, time = MIDNIGHT] = LOCAL.exec(date) ?? [];
  if (day === undefined) throw unbuildable(place, 'Set a date such as 2026-01-31 10:30:00.');
  if (isTimestamp) return new Date(`${day}T${time}`);
  if (time === MIDNIGHT) return day;
  throw unbuildable(place, 'The filter contains a time. Set `timestamp: true` for the column.');
}

const NO_COUNTERPART = 'Remove this option from `filterOptions` of the column.';

const LOCAL = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}))?$/;
const MIDNIGHT = '00:00:00';

const TEXT: ReadonlyMap<string, FilterOperator> = new Map([
  ['contains', 'contains'],
  ['notContains', 'contains'],
  ['startsWith', 'starts'],
  ['endsWith', 'ends'],
]);

const SCALAR: ReadonlyMap<string, FilterOperator> = new Map([
  ['equals', 'eq'],
  ['notEqual', 'neq'],
  ['lessThan', 'lt'],
  ['lessThanOrEqual', 'lte'],
  ['greaterThan', 'gt'],
  ['greaterThanOrEqual', 'gte'],
]);
