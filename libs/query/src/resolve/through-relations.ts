import type { FilterOperator, OptInOperator } from '../config/operators.js';
import { type QueryRelation, relationsTo } from './relation.js';
import type { Condition, ResolvedFilter, CompareFilter } from './resolved-query.js';

/**
 * Returns the condition of a filter on the row, whose column may be in a related row. If all
 * relations lead to one row, the column is treated as a nullable column of the row itself. If a
 * relation leads to several rows, at least one of them must meet the filter.
 */
export function throughRelations(filter: ResolvedFilter): Condition {
  const { toMany, toOne } = waysTo(filter);
  return exists('some', toMany, nullableThrough(toOne, onRelated(filter)));
}

/** Applies `throughRelations` to each filter of a condition, such as the condition of a cursor. */
export function eachThroughRelations(condition: Condition): Condition {
  if ('conditions' in condition) {
    return { ...condition, conditions: condition.conditions.map(eachThroughRelations) };
  }
  return condition.kind === 'exists' ? condition : throughRelations(condition);
}

/**
 * Returns the condition for `not` of a filter. If a relation leads to several rows, none of them
 * may meet the filter; otherwise `not` is applied to the column.
 * @param operator the operator in the query
 */
export function complementThroughRelations(
  filter: ResolvedFilter,
  operator: FilterOperator | OptInOperator,
): Condition {
  const { toMany, toOne } = waysTo(filter);
  const inner = onRelated(filter);
  if (toMany.length > 0) return exists('none', toMany, nullableThrough(toOne, inner));
  return nullableThrough(toOne, complementOf(inner, operator));
}

/** Returns the relations up to the last one with several rows, and the relations after it. */
function waysTo({ column }: ResolvedFilter): {
  readonly toMany: readonly QueryRelation[];
  readonly toOne: readonly QueryRelation[];
} {
  const relations = relationsTo(column.relation);
  const end = relations.findLastIndex(({ many }) => many) + 1;
  return { toMany: relations.slice(0, end), toOne: relations.slice(end) };
}

/** Returns the filter on the column of the related row itself. */
function onRelated(filter: ResolvedFilter): ResolvedFilter {
  const { relation, ...column } = filter.column;
  return relation === undefined ? filter : { ...filter, column };
}

/** Makes the column NULL if there is no related row. */
function nullableThrough(toOne: readonly QueryRelation[], condition: Condition): Condition {
  if (condition.kind !== 'null' || !condition.isNull) return exists('some', toOne, condition);
  return toOne.length === 0 ? condition : exists('none', toOne, { ...condition, isNull: false });
}

function exists(
  how: 'some' | 'none',
  [relation, ...further]: readonly QueryRelation[],
  condition: Condition,
): Condition {
  if (relation === undefined) return condition;
  const inner = exists('some', further, condition);
  return { kind: 'exists', relation, negated: how === 'none', condition: inner };
}

/**
 * Returns the condition for `not`, which holds for all other values of the column. NULL meets
 * neither a condition nor its complement, except with `isnull`.
 * @param operator the operator in the query
 */
function complementOf(filter: ResolvedFilter, operator: FilterOperator | OptInOperator): Condition {
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
    case 'has':
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
