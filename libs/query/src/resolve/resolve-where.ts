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
 * Returns the typed condition of `where` without negations: `not` is moved to the individual
 * conditions (De Morgan). A condition on NULL therefore never holds, negated or not, and every
 * engine returns the same rows as with SQL's `not (...)`.
 * @param problems the list to which problems with values and fields are added
 * @throws UnbuildableQueryError for an empty group
 */
export function resolveWhere(
  node: AnyNode,
  columnOf: ColumnOf,
  problems: QueryProblem[],
): Condition | undefined {
  return resolved(node, false, columnOf, problems);
}

/** @returns undefined if one of the conditions is invalid */
function resolved(
  node: AnyNode,
  isNegated: boolean,
  columnOf: ColumnOf,
  problems: QueryProblem[],
): Condition | undefined {
  if ('not' in node) return resolved(node.not, !isNegated, columnOf, problems);
  if ('field' in node) {
    const condition = leafOf(node, isNegated, columnOf);
    if (!('reason' in condition)) return condition;
    problems.push(condition);
    return undefined;
  }
  const kind = 'or' in node ? 'or' : 'and';
  const conditions = refuseEmptyGroup(kind, 'or' in node ? node.or : node.and)
    .map((member) => resolved(member, isNegated, columnOf, problems))
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
    // The query is rejected, because without the condition `or` would return fewer rows, and `and`
    // would return more rows.
    return { kind: 'where', field: shortened(item.field), reason: 'field-not-allowed' };
  }
  const filter = resolveFilter(item, column, 'where');
  if ('reason' in filter) return filter;
  return isNegated ? complementThroughRelations(filter, item.operator) : throughRelations(filter);
}
