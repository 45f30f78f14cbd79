import type { Findings } from './findings.js';
import type { WireQuery } from './query-parameters.js';

/** The start or the end of a page in a list with cursors. */
export interface CursorPlace {
  /** The cursor of the row before the page. Undefined for the first page. */
  readonly after: string | undefined;
  /** The cursor of the row after the page, to request the previous page. */
  readonly before: string | undefined;
  /** Undefined with cursors: the page number is then always 1. */
  readonly page: unknown;
}

/**
 * Reads `after` or `before`. If one is invalid, the query is rejected. Otherwise, a client would
 * get the first page again. A page number is ignored.
 */
export function readCursorPlace(
  { after, before, page }: WireQuery,
  findings: Findings,
): CursorPlace {
  const place = {
    after: isGiven(after) ? cursorTextOf(after, findings) : undefined,
    before: isGiven(before) ? cursorTextOf(before, findings) : undefined,
    page: undefined,
  };
  const isFirst = !isGiven(after) && !isGiven(before);
  if (isGiven(after) && isGiven(before)) {
    const expected = 'either `after` or `before`';
    findings.refuse({ kind: 'cursor', reason: 'not-expressible', expected });
  }
  if (page === undefined || page === '' || (isFirst && (page === '1' || page === 1))) return place;
  const expected = 'a cursor in `after` instead of a page number';
  findings.drop({ kind: 'page', reason: 'not-expressible', expected });
  return place;
}

/** GraphQL clients send null for the first page. */
function isGiven(wire: unknown): boolean {
  return wire !== undefined && wire !== null && wire !== '';
}

function cursorTextOf(wire: unknown, findings: Findings): string | undefined {
  if (typeof wire !== 'string') {
    findings.refuse({ kind: 'cursor', reason: 'malformed', expected: 'one string' });
    return undefined;
  }
  if (wire.length <= MAX_CURSOR_LENGTH) return wire.toWellFormed();
  const expected = `at most ${MAX_CURSOR_LENGTH} characters`;
  findings.refuse({ kind: 'cursor', reason: 'too-long', expected });
  return undefined;
}

/**
 * Maximum length of a cursor. No URL that Node.js accepts by default is so long. The length is
 * checked before a cursor is hashed.
 */
export const MAX_CURSOR_LENGTH = 16_384;
