import { isHexadecimal } from '../config/column-types.js';
import type { OptInOperator } from '../config/operators.js';
import { splitList } from '../parse/list-value.js';
import type { FilterItem } from '../parse/parsed-query.js';
import type { QueryProblem } from '../query.errors.js';
import { spelledTime } from './calendar.js';
import { columnValueOf, expectationOf } from './column-value.js';
import { allowsOperator, type ColumnValue, type QueryColumn } from './column.js';
import type { OnColumn, ResolvedFilter } from './resolved-query.js';

type AnyFilter = FilterItem<string, OptInOperator>;

/** @param kind the query parameter that contains the filter */
export function resolveFilter(
  { field, operator, value }: AnyFilter,
  column: QueryColumn,
  kind: 'filter' | 'where' = 'filter',
): ResolvedFilter | QueryProblem {
  const problem = (reason: QueryProblem['reason'], expected?: string): QueryProblem => ({
    kind,
    field,
    operator,
    reason,
    ...(expected !== undefined && { expected }),
  });
  if (!allowsOperator(column, operator)) return problem('operator-not-allowed');
  switch (operator) {
    case 'isnull': {
      const isNull = columnValueOf({ name: field, type: 'boolean' }, value);
      if (typeof isNull !== 'boolean') return problem('invalid-value', 'true or false');
      return { kind: 'null', field, column, isNull };
    }
    case 'in':
    case 'nin': {
      const values = valuesOf(column, value);
      if (values !== undefined) return listFilter({ field, column }, operator, values);
      return problem('invalid-value', `list of values, each: ${expectationOf(column)}`);
    }
    case 'between': {
      const [from, to, more] = valuesOf(column, value) ?? [];
      if (from === undefined || to === undefined || more !== undefined) {
        const expected = `two values separated by a comma, each: ${expectationOf(column)}`;
        return problem('invalid-value', expected);
      }
      return { kind: 'between', field, column, from, to };
    }
    default: {
      const typed = valueOf(column, value);
      if (typed === undefined) return problem('invalid-value', expectationOf(column));
      return singleFilter({ field, column }, operator, typed);
    }
  }
}

function listFilter(
  on: OnColumn,
  operator: 'in' | 'nin',
  values: readonly ColumnValue[],
): ResolvedFilter {
  if (values.length > 0) {
    return {
      kind: 'in',
      operator,
      ...on,
      values: values.flatMap((v) => spellingsOf(v, on.column)),
    };
  }
  return operator === 'in' ? { kind: 'nothing', ...on } : { kind: 'null', ...on, isNull: false };
}

function singleFilter(
  on: OnColumn,
  operator: Exclude<AnyFilter['operator'], 'nin' | 'isnull' | 'in' | 'between'>,
  value: ColumnValue,
): ResolvedFilter {
  if (operator === 'has') return { kind: 'has', ...on, values: spellingsOf(value, on.column) };
  const isPart = operator === 'contains' || operator === 'starts' || operator === 'ends';
  if (isPart || operator === 'ieq') return { kind: 'text', operator, ...on, text: String(value) };
  const values = spellingsOf(value, on.column);
  if (values.length > 1 && (operator === 'eq' || operator === 'neq')) {
    return { kind: 'in', operator: operator === 'eq' ? 'in' : 'nin', ...on, values };
  }
  return { kind: 'compare', operator, ...on, value };
}

/**
 * Returns a UUID in lower and upper case, because a string column may store either. An index works
 * for this comparison.
 */
function spellingsOf(value: ColumnValue, { type, asText }: QueryColumn): ColumnValue[] {
  if (typeof value !== 'string' || !isHexadecimal(type)) return [value];
  const upper = value.toUpperCase();
  return asText === false || upper === value ? [value] : [value, upper];
}

/** Text columns store times in one format, and JSON stores timestamps in one format. */
function valueOf(column: QueryColumn, text: string): ColumnValue | undefined {
  const value = columnValueOf(column, text);
  if (column.json !== undefined && value instanceof Date) return value.toISOString();
  if (column.type !== 'time' || column.asText === false || typeof value !== 'string') return value;
  return spelledTime(value);
}

/** Returns undefined if an item does not fit. */
function valuesOf(column: QueryColumn, list: string): ColumnValue[] | undefined {
  const values = splitList(list).map((text) => valueOf(column, text));
  return values.every((value) => value !== undefined) ? values : undefined;
}
