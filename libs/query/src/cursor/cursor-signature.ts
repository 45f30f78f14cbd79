import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';

/** What signs cursors: at least 16 bytes that only the servers of the application know. */
export type CursorSecret = string | Uint8Array;

/** One secret, or several while secrets are exchanged: the first signs, every one is accepted. */
export type CursorSecrets = CursorSecret | readonly [CursorSecret, ...CursorSecret[]];

/** What a cursor holds for, beside its values. A cursor of another order, list or scope is refused. */
export interface CursorBinding {
  readonly sort: readonly ResolvedSort[];
  /** The table, entity or columns of the list. @default none */
  readonly list?: string | undefined;
  /** What else separates lists, such as the tenant. @default none */
  readonly scope?: string | readonly string[] | undefined;
}

/** @throws InvalidQueryConfigError for a missing or short secret */
export function signCursor(
  payload: string,
  binding: CursorBinding,
  secrets: CursorSecrets,
): string {
  return macOf(payload, binding, checkedSecrets(secrets)[0]).toString('base64url');
}

/** @throws InvalidQueryConfigError for a missing or short secret */
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
    // One signature has one spelling, though base64 would read several.
    return genuine && expected.toString('base64url') === signature;
  });
}

/**
 * The secrets as a list.
 * @throws InvalidQueryConfigError for a missing or short secret
 */
export function checkedSecrets(secrets: CursorSecrets): readonly [CursorSecret, ...CursorSecret[]] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const fault =
    list.length === 0 ? 'missing' : list.map(faultOf).find((found) => found !== undefined);
  if (fault === undefined) return list as readonly [CursorSecret, ...CursorSecret[]];
  throw new InvalidQueryConfigError(
    `The secret of cursors is ${fault}.`,
    'Take one from randomBytes(32), and keep it the same on every server.',
  );
}

function faultOf(secret: unknown): string | undefined {
  if (secret === undefined || secret === null || secret === '') return 'missing';
  if (typeof secret !== 'string' && !(secret instanceof Uint8Array)) return 'no text and no bytes';
  return Buffer.byteLength(secret) < MIN_BYTES ? `shorter than ${MIN_BYTES} bytes` : undefined;
}

const MIN_BYTES = 16;

function macOf(
  payload: string,
  { sort, list, scope }: CursorBinding,
  secret: CursorSecret,
): Buffer {
  const order = sort.map(({ column, direction }) => [column.name, column.type, direction]);
  return createHmac('sha256', secret)
    .update(JSON.stringify([order, list, [scope ?? []].flat(), payload]))
    .digest()
    .subarray(0, MIN_BYTES);
}
