import type { Findings } from './findings.js';
import { membersOf } from './wire-query.js';

/** The value of a parameter that stands once: of several the first text, or a number where code gave one. */
export function soleOf(
  kind: 'page' | 'limit' | 'search',
  wire: unknown,
  findings: Findings,
): string | number | undefined {
  if (typeof wire === 'string' || typeof wire === 'number') return wire;
  const members = membersOf(wire);
  const texts = members.filter((member) => typeof member === 'string');
  if (texts.length < members.length) findings.drop({ kind, reason: 'malformed', expected: 'text' });
  if (texts.length > 1) findings.drop({ kind, reason: 'duplicate', expected: 'one value' });
  return texts[0];
}
