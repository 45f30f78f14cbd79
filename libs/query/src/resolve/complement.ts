import type { FilterOperator, OptInOperator } from '../config/operators.js';
import type { CompareFilter, Condition, ResolvedFilter } from './resolved-query.js';

/**
 * The condition for `not`: it holds for the other values of the column. NULL meets neither a condition nor its
 * complement, except for `isnull`.
 * @param operator the operator that the query names
 */
export function complementOf(
  filter: ResolvedFilter,
  operator: FilterOperator | OptInOperator,
): Condition {
  const { field, column } = filter;
  switch (filter.kind) {
    case 'compare':
      return { ...filter, operator: COMPLEMENTS[filter.operator] };
    case 'between':
      return {
        kind: 'or',
        conditions: [
          { kind: 'compare', operator: 'lt', field, column, value: filter.from },
          { kind: 'compare', operator: 'gt', field, column, value: filter.to },
        ],
      };
    case 'in':
      return { ...filter, operator: filter.operator === 'in' ? 'nin' : 'in' };
    case 'text':
      return { ...filter, negated: true };
    case 'null':
      // A `nin` without items holds for every value, so its complement holds for none.
      if (operator !== 'isnull') return { kind: 'nothing', field, column };
      return { ...filter, isNull: !filter.isNull };
    case 'nothing':
      return { kind: 'null', field, column, isNull: false };
  }
}

const COMPLEMENTS: Readonly<Record<CompareFilter['operator'], CompareFilter['operator']>> = {
  eq: 'neq',
  neq: 'eq',
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt',
};
