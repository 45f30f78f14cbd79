import type { RequestContext } from '@fledge/core';
import { checkNames, isObject } from '@fledge-internal/options';
import { tenantOfRequest } from '@fledge/core/packages';
import { isDeepStrictEqual } from 'node:util';
import { GraphqlOptionError } from '../graphql.errors.js';
import { placeOf } from '../graphql.defaults.js';

/** Selects the operations or sockets that match all given fields. */
export interface OperationFilter {
  /**
   * The user of the context, or the `id` or `sub` of the user. Users with the same `id` or `sub`
   * are equal.
   */
  readonly user?: unknown;
  /**
   * Id of the tenant that `@fledge/tenant` found. If there is none, it is compared with
   * `ctx.get('tenant')` or with the `id` of that value.
   */
  readonly tenant?: string;
  /** The `connection` of the operation or socket. */
  readonly connection?: string;
}

interface Selectable {
  readonly connection: string;
  readonly ctx: RequestContext | undefined;
}

/**
 * Converts a filter to a predicate. Returns a predicate unchanged.
 * @param call the call that receives the filter, such as `GraphqlOperations.end`
 * @throws GraphqlOptionError if a filter has no fields, or if a field is null or undefined. Such a
 * filter would select all operations
 */
export function predicateOf<T extends Selectable>(
  which: OperationFilter | ((one: T) => boolean),
  call: string,
): (one: T) => boolean {
  if (typeof which === 'function') return which;
  checkNames(which, Object.keys(MATCHES), placeOf(call));
  const fields = Object.entries(which) as [keyof OperationFilter, unknown][];
  if (fields.length === 0) {
    throw new GraphqlOptionError(`${call}({}) would select all operations. ${CURE}`);
  }
  for (const [field, value] of fields) {
    if (value !== undefined && value !== null) continue;
    throw new GraphqlOptionError(`${call}({ ${field} }) is ${String(value)}. ${CURE}`);
  }
  return (one) => fields.every(([field, value]) => MATCHES[field](one, value));
}

const CURE =
  'Pass a user, a tenant or a connection, or a function: () => true selects all operations.';

const MATCHES: Readonly<
  Record<keyof OperationFilter, (one: Selectable, value: unknown) => boolean>
> = {
  connection: ({ connection }, value) => connection === value,
  tenant: ({ ctx }, value) => ctx !== undefined && tenantIdOf(ctx) === value,
  user: ({ ctx }, value) => ctx !== undefined && isSameUser(ctx.get('user'), value),
};

function tenantIdOf(ctx: RequestContext): unknown {
  const found = tenantOfRequest(ctx.req)?.id;
  if (found !== undefined) return found;
  const tenant = ctx.get<unknown>('tenant');
  return isObject(tenant) ? (tenant['tenantId'] ?? tenant['id']) : tenant;
}

/**
 * Returns true for the same user: the same value, an equal value, or a user with the same `id` or
 * `sub`.
 */
function isSameUser(user: unknown, meant: unknown): boolean {
  if (user === undefined || user === null) return false;
  if (isDeepStrictEqual(user, meant)) return true;
  const ids = idsOf(user);
  return idsOf(meant).some((id) => ids.includes(id));
}

/**
 * Returns true if there is no user any more, or if the user has another `id` or `sub`. Users
 * without `id` and `sub` cannot be compared.
 */
export function isOtherUser(before: unknown, now: unknown): boolean {
  if (before === undefined || before === null) return false;
  if (now === undefined || now === null) return true;
  const ids = idsOf(now);
  return ids.length > 0 && idsOf(before).length > 0 && !isSameUser(now, before);
}

function idsOf(user: unknown): string[] {
  const ids = isObject(user) ? [user['id'], user['sub']] : [user];
  // Compares ids as strings, because the database may use the number 7 and the token the string
  // '7'.
  return ids.flatMap((id) =>
    typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : [],
  );
}
