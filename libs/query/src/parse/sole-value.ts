import type { Findings } from './findings.js';
import { membersOf } from './query-parameters.js';

/** The value of a parameter that may occur once: the first text, or a number if the caller passed one. */
export function readSoleValue(
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
