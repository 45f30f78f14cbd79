import { listOf, Place, readBy, text } from '@fledge-internal/options';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { CursorSecret, CursorSecrets } from '../query.options.js';
import { identityOfColumn } from '../resolve/relation.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';

/**
 * The signature of a cursor also contains these values. A cursor with another order, list or scope
 * is rejected.
 */
export interface CursorBinding {
  readonly sort: readonly ResolvedSort[];
  /** The table, entity or columns of the list. @default none */
  readonly list?: string | undefined;
  /** Separates lists with the same order and table, for example by tenant. @default none */
  readonly scope?: string | readonly string[] | undefined;
}

const strings = listOf(text.required).required;

export const cursorScope = readBy<string | readonly string[], string | readonly string[]>(
  (value, place) => {
    if (typeof value === 'string') return value;
    if (!Array.isArray(value)) throw place.wrong(value, 'a string or a list of strings');
    return strings.read(value, place);
  },
).optional;

export const CURSOR_PLACE = new Place(
  (message) => new InvalidQueryConfigError(message),
  (path) => (path === '' ? 'The argument with cursor options' : `The cursor option \`${path}\``),
);

/** @throws InvalidQueryConfigError if the secret is missing or too short */
export function signCursor(
  payload: string,
  binding: CursorBinding,
  secrets: CursorSecrets,
): string {
  return macOf(payload, binding, checkedSecrets(secrets)[0]).toString('base64url');
}

/** @throws InvalidQueryConfigError if the secret is missing or too short */
export function isSignedCursor(
  payload: string,
  signature: string,
  binding: CursorBinding,
  secrets: CursorSecrets,
): boolean {
  const given = Buffer.from(signature, 'base64url');
  return checkedSecrets(secrets).some((secret) => {
    const expected = macOf(payload, binding, secret);
    const genuine = given.length === expected.length && timingSafeEqual(given, expected);
    // Several base64 strings decode to the same bytes. Only the canonical string is accepted.
    return genuine && expected.toString('base64url') === signature;
  });
}

/** @throws InvalidQueryConfigError if the secret is missing or too short */
export function checkedSecrets(secrets: CursorSecrets): readonly [CursorSecret, ...CursorSecret[]] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const fault =
    list.length === 0 ? 'missing' : list.map(faultOf).find((found) => found !== undefined);
  if (fault === undefined) return list as readonly [CursorSecret, ...CursorSecret[]];
  throw new InvalidQueryConfigError(
    `The cursor secret is ${fault}.`,
    'Create a secret with randomBytes(32), and set the same secret on every server.',
  );
}

function faultOf(secret: unknown): string | undefined {
  if (secret === undefined || secret === null || secret === '') return 'missing';
  if (typeof secret !== 'string' && !(secret instanceof Uint8Array))
    return 'neither a string nor a Uint8Array';
  return Buffer.byteLength(secret) < MIN_BYTES ? `shorter than ${MIN_BYTES} bytes` : undefined;
}

const MIN_BYTES = 16;

function macOf(
  payload: string,
  { sort, list, scope }: CursorBinding,
  secret: CursorSecret,
): Buffer {
  const order = sort.map(({ column, direction, nulls }) => [
    ...[identityOfColumn(column), column.type, direction],
    // Omits default values. Cursors of earlier versions therefore stay valid.
    ...(nulls === 'first' ? [nulls] : []),
  ]);
  return createHmac('sha256', secret)
    .update(JSON.stringify([order, list, [scope ?? []].flat(), payload]))
    .digest()
    .subarray(0, MIN_BYTES);
}
