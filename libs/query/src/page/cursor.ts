import { type OptionTable, readOptions, text } from '@fledge-internal/options';
import { onceFor } from '../config/once-for.js';
import { InvalidQueryConfigError, InvalidQueryError } from '../query.errors.js';
import type { CursorSecrets } from '../query.options.js';
import type { ColumnValue } from '../resolve/column.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import {
  CURSOR_PLACE,
  type CursorBinding,
  cursorScope,
  isSignedCursor,
  signCursor,
} from './cursor-signature.js';
import { cursorTextOf, cursorValueOf } from './cursor-value.js';

/** The values that the signature of a cursor covers in addition to the order. */
export type CursorScope = Omit<CursorBinding, 'sort'>;

const SCOPE = { list: text.optional, scope: cursorScope } satisfies OptionTable<CursorScope>;

/** Checks a scope once, because a page signs the cursors of all its rows with one object. */
const readScope = onceFor((scope: CursorScope) => readOptions(scope, SCOPE, CURSOR_PLACE));

/**
 * Returns a cursor for a row: the values of its sort keys, signed together with the order and the
 * scope. Clients can read the values.
 * @param values one value for each key of `sort`, null for NULL
 * @throws InvalidQueryConfigError for a value that does not fit its column, for a missing or short secret, and for an
 * invalid scope
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
  return `${payload}.${signCursor(payload, binding, secret)}`;
}

/**
 * Returns the values of a cursor, one for each key of `sort`. Accepts any value of a query string.
 * @throws InvalidQueryError if the cursor was changed, or signed for another order or scope or with
 * another secret
 * @throws InvalidQueryConfigError for a missing or short secret, and for an invalid scope
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
  const expected = 'a cursor of this list in the same order';
  return new InvalidQueryError([{ kind: 'cursor', reason: 'invalid-value', expected }]);
}

function textOf(value: unknown, { field, column }: ResolvedSort): string | null {
  if (value === null) return null;
  const text = cursorTextOf(value, column);
  if (text !== undefined) return text;
  throw new InvalidQueryConfigError(
    `A row has no value of type ${column.type} for the sort key "${field}", so it has no cursor.`,
    'Select every sort key, and have the driver return it in the type of its column.',
  );
}
