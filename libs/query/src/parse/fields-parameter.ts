import type { AllowLists } from '../config/allow-lists.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';
import { type Findings, shortened } from './findings.js';
import { splitList } from './list-value.js';
import { membersOf } from './query-parameters.js';

/**
 * Reads `fields`. Returns undefined if the config has no `selectable`, or the query no `fields`. An
 * empty list (no requested name is allowed) selects only the primary key.
 */
export function readFields(
  value: unknown,
  { selectable }: AllowLists,
  { maxListItems }: ResolvedQueryOptions,
  findings: Findings,
): string[] | undefined {
  if (selectable === undefined || value === undefined) return undefined;
  const names = new Set<string>();
  let read = 0;
  for (const member of membersOf(value)) {
    if (typeof member !== 'string') {
      findings.drop({ kind: 'fields', reason: 'malformed', expected: 'names separated by commas' });
      continue;
    }
    for (const name of splitList(member.toWellFormed())) {
      if (read++ === maxListItems) {
        const expected = `at most ${maxListItems} names`;
        findings.drop({ kind: 'fields', reason: 'too-many', expected });
        return [...names];
      }
      if (!selectable.has(name)) {
        findings.drop({ kind: 'fields', field: shortened(name), reason: 'field-not-allowed' });
      } else if (names.has(name)) {
        findings.drop({ kind: 'fields', field: shortened(name), reason: 'duplicate' });
      } else names.add(name);
    }
  }
  return [...names];
}
