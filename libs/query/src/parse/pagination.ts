import type { ResolvedQueryOptions } from '../config/query-options.js';
import type { Findings } from './findings.js';
import type { PaginationParams } from './parsed-query.js';
import { soleOf } from './sole-value.js';

/** The page asked for, within the limits. The offset is that of the limit that stands. */
export function paginationOf(
  wirePage: unknown,
  wireLimit: unknown,
  { defaultLimit, maxLimit, maxOffset }: ResolvedQueryOptions,
  findings: Findings,
): PaginationParams {
  const limit = countOf('limit', wireLimit, defaultLimit, maxLimit, findings);
  const page = countOf('page', wirePage, 1, Math.floor(maxOffset / limit) + 1, findings);
  return { page, limit, offset: (page - 1) * limit };
}

function countOf(
  kind: 'page' | 'limit',
  wire: unknown,
  byDefault: number,
  max: number,
  findings: Findings,
): number {
  if (wire === undefined || wire === '') return byDefault;
  const given = soleOf(kind, wire, findings);
  if (given === undefined || given === '') return byDefault;
  // Digits past the range of numbers become Infinity: out of range, like any other count too large.
  const count = typeof given === 'string' ? digitsOf(given) : exactOf(given);
  if (!(count >= 1)) {
    findings.drop({ kind, reason: 'invalid-value', expected: 'whole number from 1' });
    return byDefault;
  }
  if (count <= max) return count;
  findings.drop({ kind, reason: 'out-of-range', expected: `at most ${max}` });
  return max;
}

/** Digits, with a plus sign and blanks around them; all else is NaN, unlike for Number. */
function digitsOf(text: string): number {
  const digits = text.trim();
  const start = digits.startsWith('+') ? 1 : 0;
  let count = digits.length === start ? NaN : 0;
  for (let i = start; i < digits.length; i++) {
    const digit = digits.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return NaN;
    count = count * 10 + digit;
  }
  return count;
}

function exactOf(given: number): number {
  return Number.isSafeInteger(given) ? given : NaN;
}
