import { InvalidQueryConfigError, InvalidQueryError } from '../query.errors.js';
import type { ColumnValue } from '../resolve/column.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import {
  type CursorBinding,
  type CursorSecrets,
  isSignedCursor,
  signCursor,
} from './cursor-signature.js';
import { cursorTextOf, cursorValueOf } from './cursor-value.js';

/** What a cursor is bound to beside the order. */
export type CursorScope = Omit<CursorBinding, 'sort'>;

/**
 * A cursor for the place of a row: its values of the sort keys, signed together with the order they are of.
 * The values are readable for the client.
 * @param values one for each key of `sort`, null where the column is NULL
 * @throws InvalidQueryConfigError for a value that its column's type does not take
 */
export function encodeCursor(
  values: readonly unknown[],
  sort: readonly ResolvedSort[],
  secret: CursorSecrets,
  scope: CursorScope = {},
): string {
  const texts = sort.map((key, i) => textOf(values[i], key));
  const payload = Buffer.from(JSON.stringify(texts)).toString('base64url');
  return `${payload}.${signCursor(payload, { ...scope, sort }, secret)}`;
}

/**
 * The values a cursor was made of; takes whatever a query string has in its place.
 * @throws InvalidQueryError when it was changed, made for another order or scope, or by another secret
 */
export function decodeCursor(
  cursor: unknown,
  sort: readonly ResolvedSort[],
  secret: CursorSecrets,
  scope: CursorScope = {},
): (ColumnValue | null)[] {
  if (typeof cursor !== 'string') throw refused();
  const [payload = '', signature = '', ...rest] = cursor.split('.', 3);
  const genuine = isSignedCursor(payload, signature, { ...scope, sort }, secret);
  if (!genuine || rest.length > 0) throw refused();
  const texts = JSON.parse(Buffer.from(payload, 'base64url').toString()) as (string | null)[];
  return sort.map(({ column }, i) => {
    const text = texts[i] ?? null;
    const value = text === null ? null : cursorValueOf(text, column);
    // Signed by us, but before the column changed its type.
    if (value === undefined) throw refused();
    return value;
  });
}

function refused(): InvalidQueryError {
  const expected = 'a cursor this list gave, in the same order';
  return new InvalidQueryError([{ kind: 'cursor', reason: 'invalid-value', expected }]);
}

function textOf(value: unknown, { field, column }: ResolvedSort): string | null {
  if (value === null) return null;
  const text = cursorTextOf(value, column);
  if (text !== undefined) return text;
  throw new InvalidQueryConfigError(
    `A row has no ${column.type} under "${field}", so there is no cursor for it.`,
    'Select every sort key, in the type its column declares.',
  );
}
