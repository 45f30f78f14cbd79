import type { Findings } from './findings.js';
import type { WireQuery } from './query-parameters.js';

/** Where the page of a list by cursors starts. */
export interface CursorPlace {
  /** The cursor of the page; undefined for the first one. */
  readonly after: string | undefined;
  /** The page number to read. Such a list has page 1 only. */
  readonly page: unknown;
}

/**
 * Reads `after`. Each of its faults refuses the query: without it, a client would get the first page again. A page number
 * is dropped. `before` is refused, so that it can get a meaning later.
 */
export function readCursorPlace(
  { after, before, page }: WireQuery,
  findings: Findings,
): CursorPlace {
  if (before !== undefined) {
    findings.refuse({ kind: 'cursor', reason: 'not-expressible', expected: 'after, not before' });
  }
  const isFirst = after === undefined || after === '';
  const place = { after: isFirst ? undefined : cursorTextOf(after, findings), page: undefined };
  if (page === undefined || page === '' || (isFirst && (page === '1' || page === 1))) return place;
  findings.drop({ kind: 'page', reason: 'not-expressible', expected: 'after, a cursor' });
  return place;
}

function cursorTextOf(wire: unknown, findings: Findings): string | undefined {
  if (typeof wire !== 'string') {
    findings.refuse({ kind: 'cursor', reason: 'malformed', expected: 'one text' });
    return undefined;
  }
  if (wire.length <= MAX_LENGTH) return wire.toWellFormed();
  const expected = `at most ${MAX_LENGTH} characters`;
  findings.refuse({ kind: 'cursor', reason: 'too-long', expected });
  return undefined;
}

/** Longer than any URL that Node.js accepts by default. Checked before a cursor is hashed. */
const MAX_LENGTH = 16_384;
