import { type OptionTable, readOptions, text } from '@fledge-internal/options';
import { cacheByObject } from '../config/cache-by-object.js';
import { InvalidQueryConfigError, InvalidQueryError } from '../query.errors.js';
import { MAX_CURSOR_LENGTH } from '../parse/after-parameter.js';
import type { CursorSecrets } from '../query.options.js';
import type { ColumnValue } from '../resolve/column.js';
import { pathOfColumn } from '../resolve/relation.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import {
  CURSOR_PLACE,
  type CursorBinding,
  cursorScope,
  isSignedCursor,
  signCursor,
} from './cursor-signature.js';
import { cursorTextOf, cursorValueOf } from './cursor-value.js';

/** The signature of a cursor contains the order and these values. */
export type CursorScope = Omit<CursorBinding, 'sort'>;

const SCOPE = { list: text.optional, scope: cursorScope } satisfies OptionTable<CursorScope>;

/** Checks each scope once. A page signs the cursors of all rows with the same object. */
const readScope = cacheByObject((scope: CursorScope) => readOptions(scope, SCOPE, CURSOR_PLACE));

/**
 * Returns a cursor for a row. It contains the values of the row's sort keys, signed together with
 * the order and the scope. Clients can read the values.
 * @param values one value for each key of `sort`. Null means NULL
 * @throws InvalidQueryError if the values are too long: parsing accepts 16,384 characters
 * @throws InvalidQueryConfigError if a value does not fit its column, if the secret is missing or
 * too short, or if the scope is invalid
 */
export function encodeCursor(
  values: readonly unknown[],
  sort: readonly ResolvedSort[],
  secret: CursorSecrets,
  scope: CursorScope = {},
): string {
  const binding = { ...readScope(scope), sort };
  const texts = sort.map((key, i) => textOf(values[i], key));
  const payload = Buffer.from(JSON.stringify(texts)).toString('base64url');
  const cursor = `${payload}.${signCursor(payload, binding, secret)}`;
  if (cursor.length > MAX_CURSOR_LENGTH) throw tooLong(texts, sort);
  return cursor;
}

/**
 * Returns the values of a cursor, one for each key of `sort`. Accepts any value from a query
 * string.
 * @throws InvalidQueryError if the cursor was changed, or if it was signed with another order,
 * scope or secret
 * @throws InvalidQueryConfigError if the secret is missing or too short, or if the scope is invalid
 */
export function decodeCursor(
  cursor: unknown,
  sort: readonly ResolvedSort[],
  secret: CursorSecrets,
  scope: CursorScope = {},
): (ColumnValue | null)[] {
  const binding = { ...readScope(scope), sort };
  if (typeof cursor !== 'string') throw refused();
  const [payload = '', signature = '', ...rest] = cursor.split('.', 3);
  const genuine = isSignedCursor(payload, signature, binding, secret);
  if (!genuine || rest.length > 0) throw refused();
  const texts = JSON.parse(Buffer.from(payload, 'base64url').toString()) as (string | null)[];
  return sort.map(({ column }, i) => {
    const text = texts[i] ?? null;
    const value = text === null ? null : cursorValueOf(text, column);
    // The type of the column has changed since the cursor was signed.
    if (value === undefined) throw refused();
    return value;
  });
}

function refused(): InvalidQueryError {
  const expected = 'a cursor of this list with the same sort order';
  return new InvalidQueryError([{ kind: 'cursor', reason: 'invalid-value', expected }]);
}

function tooLong(
  texts: readonly (string | null)[],
  sort: readonly ResolvedSort[],
): InvalidQueryError {
  const lengths = texts.map((text) => text?.length ?? 0);
  const longest = sort[lengths.indexOf(Math.max(...lengths))];
  const expected = 'a sort key whose values fit into a cursor';
  return new InvalidQueryError([
    { kind: 'sort', ...(longest && { field: longest.field }), reason: 'not-expressible', expected },
  ]);
}

function textOf(value: unknown, { field, column }: ResolvedSort): string | null {
  if (value === null) return null;
  const text = cursorTextOf(value, column);
  if (text !== undefined) return text;
  const path = pathOfColumn(column);
  const stored = path === field ? '' : ` (column "${path}")`;
  throw new InvalidQueryConfigError(
    `A row has no value of type ${column.type} for the sort key "${field}"${stored}, ` +
      'so the row has no cursor.',
    'Select every sort key, and let the driver return each value in the type of its column.',
  );
}
