import type { FilterOperator, OptInOperator } from '../config/operators.js';
import { type QueryRelation, relationsTo } from './relation.js';
import type { Condition, ResolvedFilter, CompareFilter } from './resolved-query.js';

/**
 * Returns the condition of a filter, as a condition on the listed row. The column may belong to a
 * related row. If there is at most one related row, its column counts as a nullable column of the
 * row. If there are several related rows, at least one of them must match.
 */
export function throughRelations(filter: ResolvedFilter): Condition {
  const { toMany, toOne } = waysTo(filter);
  return exists('some', toMany, nullableThrough(toOne, onRelated(filter)));
}

/** Applies `throughRelations` to each filter in a condition, such as the condition of a cursor. */
export function eachThroughRelations(condition: Condition): Condition {
  if ('conditions' in condition) {
    return { ...condition, conditions: condition.conditions.map(eachThroughRelations) };
  }
  return condition.kind === 'exists' ? condition : throughRelations(condition);
}

/**
 * Returns the condition for `not` of a filter. If there are several related rows, none of them may
 * match. Otherwise, `not` applies to the column.
 * @param operator the operator of the filter in the query
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

/** Splits the relations after the last relation with several rows. */
function waysTo({ column }: ResolvedFilter): {
  readonly toMany: readonly QueryRelation[];
  readonly toOne: readonly QueryRelation[];
} {
  const relations = relationsTo(column.relation);
  const end = relations.findLastIndex(({ many }) => many) + 1;
  return { toMany: relations.slice(0, end), toOne: relations.slice(end) };
}

/** Returns the filter for the related row itself. */
function onRelated(filter: ResolvedFilter): ResolvedFilter {
  const { relation, ...column } = filter.column;
  return relation === undefined ? filter : { ...filter, column };
}

/** Makes the column nullable, because there may be no related row. */
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
 * Returns the condition for `not`. The condition matches all other values of the column. NULL
 * matches neither a condition nor its negation, except for `isnull`.
 * @param operator the operator of the filter in the query
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
      // `nin` with an empty list matches every value, so its negation matches none.
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
