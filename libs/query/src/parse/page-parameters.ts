import type { ResolvedQueryOptions } from '../query.defaults.js';
import type { Findings } from './findings.js';
import type { PaginationParams } from './parsed-query.js';
import { readSoleValue } from './query-parameters.js';

/** Reads `page` and `limit`. The offset depends on the reduced `limit`. */
export function readPagination(
  wirePage: unknown,
  wireLimit: unknown,
  { defaultLimit, maxLimit, maxOffset }: ResolvedQueryOptions,
  findings: Findings,
): PaginationParams {
  const limitRange = { byDefault: defaultLimit, max: maxLimit };
  const limit = readNumber('limit', wireLimit, limitRange, findings);
  const pageRange = { byDefault: 1, max: Math.floor(maxOffset / limit) + 1 };
  const page = readNumber('page', wirePage, pageRange, findings);
  return { page, limit, offset: (page - 1) * limit };
}

function readNumber(
  kind: 'page' | 'limit',
  wire: unknown,
  { byDefault, max }: { readonly byDefault: number; readonly max: number },
  findings: Findings,
): number {
  if (wire === undefined || wire === '') return byDefault;
  const given = readSoleValue(kind, wire, findings);
  if (given === undefined || given === '') return byDefault;
  // A number with too many digits becomes Infinity, which is out of range.
  const number = typeof given === 'number' || WHOLE.test(given) ? Number(given) : NaN;
  if (!(number >= 1) || (typeof given === 'number' && !Number.isSafeInteger(given))) {
    findings.drop({ kind, reason: 'invalid-value', expected: 'whole number of 1 or more' });
    return byDefault;
  }
  if (number <= max) return number;
  findings.drop({ kind, reason: 'out-of-range', expected: `at most ${max}` });
  return max;
}

/** Needed because `Number` accepts `1e3` and `0x1`. */
const WHOLE = /^\s*\+?\d+\s*$/;
