import { UnbuildableQueryError } from '../query.errors.js';

/** How deep groups may stand in each other. */
export const MAX_WHERE_DEPTH = 5;

/** The members of a group. @throws UnbuildableQueryError for an empty one */
export function membersOfGroup<Node>(kind: 'and' | 'or', nodes: readonly Node[]): readonly Node[] {
  if (nodes.length > 0) return nodes;
  throw new UnbuildableQueryError(`group ${kind}()`, 'Give it at least one condition.');
}

/** True for a value that has to stand in quotes, and for a field that `where` cannot name. */
export function needsQuotes(text: string): boolean {
  return text.startsWith(' ') || text.endsWith(' ') || /[(),"]/.test(text);
}
