import type { OptInOperator } from '../config/operators.js';
import { splitList } from '../parse/list-value.js';
import type { FilterItem } from '../parse/parsed-query.js';
import type { QueryProblem } from '../query.errors.js';
import { spelledTime } from './calendar.js';
import { columnValueOf, expectationOf } from './column-value.js';
import { allowsOperator, type ColumnValue, type QueryColumn } from './column.js';
import type { ResolvedFilter } from './resolved-query.js';

/** The typed condition a filter stands for on its column, or what is wrong with it. */
export function resolveFilter(
  { field, operator, value }: FilterItem<string, OptInOperator>,
  column: QueryColumn,
): ResolvedFilter | QueryProblem {
  const problem = (reason: QueryProblem['reason'], expected?: string): QueryProblem => ({
    kind: 'filter',
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
      const values = valuesOf(column, value)?.flatMap((item) => casesOf(item, column));
      if (values === undefined) return problem('invalid-value', `list: ${expectationOf(column)}`);
      if (values.length > 0) return { kind: 'in', operator, field, column, values };
      if (operator === 'in') return { kind: 'nothing', field, column };
      return { kind: 'null', field, column, isNull: false };
    }
    case 'between': {
      const values = valuesOf(column, value);
      const [from, to] = values ?? [];
      if (from === undefined || to === undefined || values?.length !== 2) {
        return problem('invalid-value', `two, separated by a comma: ${expectationOf(column)}`);
      }
      return { kind: 'between', field, column, from, to };
    }
    default: {
      const typed = valueOf(column, value);
      if (typed === undefined) return problem('invalid-value', expectationOf(column));
      if (operator === 'contains' || operator === 'starts' || operator === 'ends') {
        return { kind: 'text', operator, field, column, text: value };
      }
      const values = casesOf(typed, column);
      if (values.length > 1 && (operator === 'eq' || operator === 'neq')) {
        return { kind: 'in', operator: operator === 'eq' ? 'in' : 'nin', field, column, values };
      }
      return { kind: 'compare', operator, field, column, value: typed };
    }
  }
}

/** A UUID in a column of text may stand there in lower or in upper case; an index serves both. */
function casesOf(value: ColumnValue, { type, asText }: QueryColumn): ColumnValue[] {
  if (typeof value !== 'string' || (type !== 'uuid' && type !== 'objectId')) return [value];
  const upper = value.toUpperCase();
  return asText === false || upper === value ? [value] : [value, upper];
}

/** The value, in the one spelling that a column of text has it in. */
function valueOf(column: QueryColumn, text: string): ColumnValue | undefined {
  const value = columnValueOf(column, text);
  if (column.type !== 'time' || column.asText === false || typeof value !== 'string') return value;
  return spelledTime(value);
}

function valuesOf(column: QueryColumn, list: string): ColumnValue[] | undefined {
  const values: ColumnValue[] = [];
  for (const text of splitList(list)) {
    const value = valueOf(column, text);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
