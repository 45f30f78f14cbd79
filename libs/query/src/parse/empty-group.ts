import { UnbuildableQueryError } from '../query.errors.js';

/** Returns the members of a group. @throws UnbuildableQueryError for an empty group */
export function refuseEmptyGroup<Node>(
  kind: 'and' | 'or',
  members: readonly Node[],
): readonly Node[] {
  if (members.length > 0) return members;
  throw new UnbuildableQueryError(`group ${kind}()`, 'Give it at least one condition.');
}
