import { pathOfColumn } from '../resolve/relation.js';
import type { Condition, ResolvedQuery } from '../resolve/resolved-query.js';
import { throughRelations } from '../resolve/through-relations.js';

/**
 * The conditions of a query, to be joined by AND: its filters, its groups, its search, and for a page by cursor the rows after it.
 * @param after `where` of the `KeysetPage`
 */
export function queryConditions(
  { filters, where, search }: Pick<ResolvedQuery, 'filters' | 'where' | 'search'>,
  after?: Condition,
): readonly Condition[] {
  const conditions: Condition[] = [...filters];
  if (where) conditions.push(where);
  if (search) {
    const contains = { kind: 'text', operator: 'contains', text: search.text } as const;
    conditions.push({
      kind: 'or',
      conditions: search.columns.map((column) =>
        throughRelations({ ...contains, field: pathOfColumn(column), column }),
      ),
    });
  }
  if (after) conditions.push(after);
  return conditions;
}
