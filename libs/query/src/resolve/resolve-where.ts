import type { OptInOperator } from '../config/operators.js';
import { shortened } from '../parse/findings.js';
import type { WhereNode } from '../parse/parsed-query.js';
import { refuseEmptyGroup } from '../parse/empty-group.js';
import type { QueryProblem } from '../query.errors.js';
import type { QueryColumn } from './column.js';
import { groupOf } from './condition-group.js';
import { resolveFilter } from './resolve-filter.js';
import type { Condition } from './resolved-query.js';
import { complementThroughRelations, throughRelations } from './through-relations.js';

type AnyNode = WhereNode<string, OptInOperator>;
type ColumnOf = (field: string) => QueryColumn | undefined;

/**
 * Returns the typed condition of `where`, without groups of `not`. The negation moves to the single
 * conditions (De Morgan). If a column is NULL, neither a condition nor its negation is true. Every
 * engine then returns the same rows as SQL's `not (...)`.
 * @param problems receives the problems with values and fields
 * @returns undefined if one of the conditions is invalid
 * @throws UnbuildableQueryError if a group is empty
 */
export function resolveWhere(
  node: AnyNode,
  columnOf: ColumnOf,
  problems: QueryProblem[],
  isNegated = false,
): Condition | undefined {
  if ('not' in node) return resolveWhere(node.not, columnOf, problems, !isNegated);
  if ('field' in node) {
    const condition = leafOf(node, isNegated, columnOf);
    if (!('reason' in condition)) return condition;
    problems.push(condition);
    return undefined;
  }
  const kind = 'or' in node ? 'or' : 'and';
  const conditions = refuseEmptyGroup(kind, 'or' in node ? node.or : node.and)
    .map((member) => resolveWhere(member, columnOf, problems, isNegated))
    .filter((condition) => condition !== undefined);
  if (conditions.length < 2) return conditions[0];
  return groupOf(isNegated === (kind === 'or') ? 'and' : 'or', conditions);
}

function leafOf(
  item: Extract<AnyNode, { field: string }>,
  isNegated: boolean,
  columnOf: ColumnOf,
): Condition | QueryProblem {
  const column = columnOf(item.field);
  if (column === undefined) {
    // Rejected, because without this condition, `or` would return fewer rows, and `and` more rows.
    return { kind: 'where', field: shortened(item.field), reason: 'field-not-allowed' };
  }
  const filter = resolveFilter(item, column, 'where');
  if ('reason' in filter) return filter;
  return isNegated ? complementThroughRelations(filter, item.operator) : throughRelations(filter);
}
