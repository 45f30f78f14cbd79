import type { ResolvedQueryOptions } from '../query.defaults.js';
import type { Findings } from './findings.js';
import type { PaginationParams } from './parsed-query.js';
import { soleValueOf } from './sole-value.js';

/** The requested page within the limits. The offset follows from the limited `limit`. */
export function paginationOf(
  wirePage: unknown,
  wireLimit: unknown,
  { defaultLimit, maxLimit, maxOffset }: ResolvedQueryOptions,
  findings: Findings,
): PaginationParams {
  const limitRange = { byDefault: defaultLimit, max: maxLimit };
  const limit = numberOf('limit', wireLimit, limitRange, findings);
  const pageRange = { byDefault: 1, max: Math.floor(maxOffset / limit) + 1 };
  const page = numberOf('page', wirePage, pageRange, findings);
  return { page, limit, offset: (page - 1) * limit };
}

function numberOf(
  kind: 'page' | 'limit',
  wire: unknown,
  { byDefault, max }: { readonly byDefault: number; readonly max: number },
  findings: Findings,
): number {
  if (wire === undefined || wire === '') return byDefault;
  const given = soleValueOf(kind, wire, findings);
  if (given === undefined || given === '') return byDefault;
  // Too many digits give Infinity, which is out of range as well.
  const number = typeof given === 'string' ? wholeNumberOf(given) : exactOf(given);
  if (!(number >= 1)) {
    findings.drop({ kind, reason: 'invalid-value', expected: 'whole number from 1' });
    return byDefault;
  }
  if (number <= max) return number;
  findings.drop({ kind, reason: 'out-of-range', expected: `at most ${max}` });
  return max;
}

/** Parses digits, with an optional plus sign and spaces around. NaN for other text: `Number` accepts `1e3`. */
function wholeNumberOf(text: string): number {
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
