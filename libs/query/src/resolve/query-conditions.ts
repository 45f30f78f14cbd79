import { groupOf } from './condition-group.js';
import { pathOfColumn } from './relation.js';
import type { Condition, ResolvedQuery, ResolvedSearch } from './resolved-query.js';
import { throughRelations } from './through-relations.js';

/**
 * The conditions of a query. The caller joins them by AND.
 * @param after the property `where` of the `KeysetPage`
 */
export function queryConditions(
  { filters, where, search }: Pick<ResolvedQuery, 'filters' | 'where' | 'search'>,
  after?: Condition,
): readonly Condition[] {
  const conditions: Condition[] = [...filters];
  if (where) conditions.push(where);
  if (search) conditions.push(searchCondition(search));
  if (after) conditions.push(after);
  return conditions;
}

export function searchCondition({ text, columns }: ResolvedSearch): Condition {
  const contains = { kind: 'text', operator: 'contains', text } as const;
  return groupOf(
    'or',
    columns.map((column) => throughRelations({ ...contains, field: pathOfColumn(column), column })),
  );
}

/** @param own the condition of the config's `search` */
export function joinedByAnd(
  operator: '$and' | 'AND',
  conditions: readonly object[],
  own: object | undefined,
): Record<string, unknown> {
  const all = own === undefined ? conditions : [...conditions, own];
  return all.length === 0 ? {} : { [operator]: all };
}
