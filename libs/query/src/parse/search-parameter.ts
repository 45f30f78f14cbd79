import type { ResolvedQueryOptions } from '../query.defaults.js';
import { firstCodePoints } from './code-points.js';
import type { Findings } from './findings.js';
import { readSoleValue } from './query-parameters.js';

/** Returns the trimmed value of `q`, with at most `maxSearchLength` code points. */
export function readSearch(
  wire: unknown,
  { maxSearchLength }: ResolvedQueryOptions,
  findings: Findings,
): string {
  if (wire === undefined) return '';
  const given = readSoleValue('search', wire, findings);
  if (typeof given === 'number') {
    findings.drop({ kind: 'search', reason: 'malformed', expected: 'string' });
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
