import { UnbuildableQueryError } from '../query.errors.js';

/** @throws UnbuildableQueryError if the group is empty */
export function refuseEmptyGroup<Node>(
  kind: 'and' | 'or',
  members: readonly Node[],
): readonly Node[] {
  if (members.length > 0) return members;
  throw new UnbuildableQueryError(`group ${kind}()`, 'Add at least one condition.');
}
