import type { OptInOperator } from '../config/operators.js';
import { splitList } from '../parse/list-value.js';
import type { FilterItem } from '../parse/parsed-query.js';
import type { QueryProblem } from '../query.errors.js';
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
      const values = valuesOf(column, value);
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
      const typed = columnValueOf(column, value);
      if (typed === undefined) return problem('invalid-value', expectationOf(column));
      if (operator === 'contains' || operator === 'starts' || operator === 'ends') {
        return { kind: 'text', operator, field, column, text: value };
      }
      return { kind: 'compare', operator, field, column, value: typed };
    }
  }
}

function valuesOf(column: QueryColumn, list: string): ColumnValue[] | undefined {
  const values: ColumnValue[] = [];
  for (const text of splitList(list)) {
    const value = columnValueOf(column, text);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
