import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryConfigError } from '../query.errors.js';

/** One page of a list with cursors. */
export interface CursorResponse<T> {
  data: T[];
  meta: CursorMeta;
}

/** The position of a page in a list with cursors. */
export interface CursorMeta {
  /** Rows per page. */
  limit: number;
  hasNext: boolean;
  /** True if the page starts after a cursor. */
  hasPrev: boolean;
  /** The value of `after` for the next page. Null on the last page. */
  nextCursor: string | null;
  /**
   * The value of `before` for the previous page. Null on the first page, and if the page has no
   * rows.
   */
  prevCursor: string | null;
}

/**
 * The rows of a query that `buildKeyset` created, and the `cursorOf` of this query. If there is a
 * row after the first `limit` rows, `hasNext` is true and the row is removed.
 */
export interface CursorRows<T> {
  readonly data: readonly T[];
  readonly cursorOf: (row: T) => string;
}

/** The rows of a page with a cursor, and the parsed query. */
export interface CursorResult<T> extends CursorRows<T> {
  readonly parsed: Pick<AnyParsedQuery, 'pagination' | 'after' | 'before'>;
}

/** The result of a function that fetches a page with a cursor. `data` may be a promise. */
export interface FetchedCursorRows<T> {
  readonly data: readonly T[] | PromiseLike<readonly T[]>;
  readonly cursorOf: (row: T) => string;
}

/** Fetches the rows of a page with a cursor. */
export type CursorFetcher<Parsed, T> = (
  parsed: Parsed,
) => FetchedCursorRows<T> | PromiseLike<FetchedCursorRows<T>>;

/** Rows with a total have a page number, even if they also have `cursorOf`. */
export function isByCursor<Rows extends object>(
  rows: Rows,
): rows is Extract<Rows, { readonly cursorOf: unknown }> {
  return 'cursorOf' in rows && !('total' in rows);
}

/** The rows are in the order of the list. */
export interface CursorSlice<T> {
  readonly rows: T[];
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
}

/** Returns the rows. @throws InvalidQueryConfigError if they are not an array */
export function checkedRows<T>(data: readonly T[]): readonly T[] {
  const given: unknown = data;
  if (Array.isArray(given)) return data;
  // This file also runs in browsers, which have no `util.inspect`.
  const isMissing = given === undefined || given === null;
  const shown = isMissing ? String(given) : Object.prototype.toString.call(given);
  throw new InvalidQueryConfigError(
    `The \`data\` of a page is ${shown}, but must be an array of rows.`,
    'Await the rows, and pass them in an object: paginate({ data, total }).',
  );
}

/** Removes the row that `lookAhead` added. Reverses the rows of a page with `before`. */
export function sliceOf<T>({
  data,
  parsed: { pagination, after, before },
}: Pick<CursorResult<T>, 'data' | 'parsed'>): CursorSlice<T> {
  const rows = checkedRows(data).slice(0, pagination.limit);
  const isMore = data.length > pagination.limit;
  if (before === undefined) return { rows, hasNext: isMore, hasPrev: after !== undefined };
  return { rows: rows.reverse(), hasNext: rows.length > 0, hasPrev: isMore };
}

export function cursorResponseOf<T>(result: CursorResult<T>): CursorResponse<T> {
  const { cursorOf, parsed } = result;
  const { rows, hasNext, hasPrev } = sliceOf(result);
  const [first] = rows;
  const last = rows.at(-1);
  return {
    data: rows,
    meta: {
      limit: parsed.pagination.limit,
      hasNext,
      hasPrev,
      nextCursor: hasNext && last !== undefined ? cursorOf(last) : null,
      prevCursor: hasPrev && first !== undefined ? cursorOf(first) : null,
    },
  };
}
