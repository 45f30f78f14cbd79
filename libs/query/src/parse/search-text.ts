import type { ResolvedQueryOptions } from '../config/query-options.js';
import { firstCodePoints } from './code-points.js';
import type { Findings } from './findings.js';
import { soleOf } from './sole-value.js';

/** The trimmed text of `q`, cut to its length; no blank is left where it was cut. */
export function searchTextOf(
  wire: unknown,
  { maxSearchLength }: ResolvedQueryOptions,
  findings: Findings,
): string {
  if (wire === undefined) return '';
  const given = soleOf('search', wire, findings);
  if (typeof given === 'number') {
    findings.drop({ kind: 'search', reason: 'malformed', expected: 'text' });
    return '';
  }
  const text = (given ?? '').toWellFormed().trim();
  const search = firstCodePoints(text, maxSearchLength);
  if (search.length === text.length) return text;
  findings.drop({
    kind: 'search',
    reason: 'truncated',
    expected: `at most ${maxSearchLength} characters`,
  });
  return search.trimEnd();
}
