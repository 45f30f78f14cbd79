import type { ResolvedQuery } from '../resolve/resolved-query.js';
import type { Condition } from './keyset.js';

/**
 * All that has to hold in a query: its filters, its search, and the place that its page starts behind.
 * For backends that translate conditions as a tree.
 */
export function queryConditions(
  { filters, search }: Pick<ResolvedQuery, 'filters' | 'search'>,
  behind?: Condition,
): readonly Condition[] {
  const conditions: Condition[] = [...filters];
  if (search) {
    const contains = { kind: 'text', operator: 'contains', text: search.text } as const;
    conditions.push({
      kind: 'or',
      conditions: search.columns.map((column) => ({ ...contains, field: column.name, column })),
    });
  }
  if (behind) conditions.push(behind);
  return conditions;
}
