import type { AllowLists } from '../config/allow-lists.js';
import type { OptInOperator } from '../config/operators.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';
import type { Findings } from './findings.js';
import type { WhereNode } from './parsed-query.js';
import { WhereReader } from './where-reader.js';
import { membersOf } from './wire-query.js';

/**
 * The conditions of `where`, several joined by AND. Each fault refuses the query: dropping a condition of `or` would
 * return fewer rows, and one of `and` more.
 */
export function whereOf(
  value: unknown,
  lists: AllowLists,
  options: ResolvedQueryOptions,
  findings: Findings,
): WhereNode<string, OptInOperator> | undefined {
  const members = membersOf(value);
  if (members.length === 0) return undefined;
  const reader = new WhereReader(lists, options, findings);
  const nodes: WhereNode<string, OptInOperator>[] = [];
  for (const member of members) {
    const node = reader.read(typeof member === 'string' ? member.toWellFormed() : '');
    if (node !== undefined) nodes.push(node);
    if (reader.isFull) break;
  }
  return nodes.length > 1 ? { and: nodes } : nodes[0];
}
