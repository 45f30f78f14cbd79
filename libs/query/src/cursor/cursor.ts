import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidQueryConfigError, InvalidQueryError } from '../query.errors.js';
import { columnValueOf } from '../resolve/column-value.js';
import { dayOf } from '../resolve/calendar.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';

/** What signs cursors: at least 16 bytes that only the servers of the application know. */
export type CursorSecret = string | Uint8Array;

/**
 * A cursor for the place of a row: its values of the sort keys, signed together with the order they are of.
 * @param values one for each key of `sort`, null where the column is NULL
 * @throws InvalidQueryConfigError for a value that its column's type does not take
 */
export function encodeCursor(
  values: readonly unknown[],
  sort: readonly ResolvedSort[],
  secret: CursorSecret,
): string {
  const texts = sort.map((key, i) => textOf(values[i], key));
  const payload = Buffer.from(JSON.stringify(texts)).toString('base64url');
  return `${payload}.${signatureOf(payload, sort, secret).toString('base64url')}`;
}

/**
 * The values a cursor was made of; takes whatever a query string has in its place.
 * @throws InvalidQueryError when it was changed, made for another order or by another secret
 */
export function decodeCursor(
  cursor: unknown,
  sort: readonly ResolvedSort[],
  secret: CursorSecret,
): (ColumnValue | null)[] {
  if (typeof cursor !== 'string') throw refused();
  const [payload = '', signature = '', ...rest] = cursor.split('.', 3);
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(payload, sort, secret);
  const genuine = given.length === expected.length && timingSafeEqual(given, expected);
  // One signature has one spelling, though base64 would read several.
  if (!genuine || rest.length > 0 || expected.toString('base64url') !== signature) throw refused();
  const texts = JSON.parse(Buffer.from(payload, 'base64url').toString()) as (string | null)[];
  return sort.map(({ column }, i) => {
    const text = texts[i] ?? null;
    const value = text === null ? null : columnValueOf(column, text);
    // Signed by us, but before the column changed its type.
    if (value === undefined) throw refused();
    return value;
  });
}

function refused(): InvalidQueryError {
  const expected = 'a cursor this list gave, in the same order';
  return new InvalidQueryError([{ kind: 'cursor', reason: 'invalid-value', expected }]);
}

function signatureOf(payload: string, sort: readonly ResolvedSort[], secret: CursorSecret): Buffer {
  if (Buffer.byteLength(secret) < 16) {
    throw new InvalidQueryConfigError(
      'The secret of cursors is shorter than 16 bytes.',
      'Take one from randomBytes(32), and keep it the same on every server.',
    );
  }
  const order = sort.map(({ column, direction }) => [column.name, column.type, direction]);
  return createHmac('sha256', secret)
    .update(JSON.stringify([order, payload]))
    .digest()
    .subarray(0, 16);
}

function textOf(value: unknown, { field, column }: ResolvedSort): string | null {
  if (value === null) return null;
  const text = isExact(value, column) ? textIn(value, column) : undefined;
  if (text !== undefined && columnValueOf(column, text) !== undefined) return text;
  throw new InvalidQueryConfigError(
    `A row has no ${column.type} under "${field}", so there is no cursor for it.`,
    'Select every sort key, in the type its column declares.',
  );
}

/** A driver that gives 64 bits as a number has rounded them: a cursor of it would name another row. */
function isExact(value: unknown, { type }: QueryColumn): boolean {
  return type !== 'bigint' || typeof value !== 'number' || Number.isSafeInteger(value);
}

function textIn(value: unknown, { type }: QueryColumn): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (!(value instanceof Date) || Number.isNaN(value.getTime())) return undefined;
      return type === 'date' ? dayOf(value) : value.toISOString();
  }
}
