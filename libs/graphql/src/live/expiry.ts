import type { RequestContext } from '@fledge/core';
import { LONGEST_TIMER_MS } from '@fledge/core/packages';
import type { GraphQLError } from 'graphql';
import { FailureLog } from '../operation/failure-log.js';
import { codedError } from '../operation/formatted-error.js';

const mistakes = new FailureLog(
  'An operation ended, because expiresAt of its context is not a time',
);

/**
 * Returns the time at which the caller's authorization expires, in milliseconds since 1970. Returns
 * undefined if the authorization does not expire. Uses the first value that is set: `expiresAt` of
 * the context (a Date, milliseconds or an ISO string), `exp` of the context's user (seconds), or
 * `exp` of a JSON Web Token in `authorization`. The token is not verified here, because a false
 * `exp` can only end an operation earlier.
 */
function expiryOf(ctx: RequestContext): number | undefined {
  const at = timeIn(ctx.get('expiresAt'));
  if (at !== undefined) return at;
  const user = ctx.get<{ exp?: unknown } | null>('user');
  const seconds = [user?.exp, claimOf(ctx.headers.authorization)].find(isTime);
  return seconds === undefined ? undefined : seconds * 1_000;
}

/**
 * Returns undefined if the application has set no time. A value that is not a time counts as
 * expired, because the operation would otherwise never end.
 */
function timeIn(value: unknown): number | undefined {
  if (value === undefined || value === null || value === Infinity) return undefined;
  const date = typeof value === 'string' ? new Date(value) : value;
  const time = date instanceof Date ? date.getTime() : date;
  if (isTime(time)) return time;
  mistakes.add('Set a Date, milliseconds since 1970 or an ISO 8601 string.');
  return 0;
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}

/** @throws GraphQLError with the code UNAUTHENTICATED if the authorization has expired */
export function refuseExpired(ctx: RequestContext): void {
  const at = expiryOf(ctx);
  if (at !== undefined && at <= Date.now()) throw expired();
}

/**
 * Calls `end` when the authorization expires.
 * @param signal stops waiting
 */
export function whenExpired(
  ctx: RequestContext,
  signal: AbortSignal,
  end: (error: GraphQLError) => void,
): void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    // The time is read again, because the application may have extended the authorization.
    const at = expiryOf(ctx);
    if (at === undefined) return;
    const left = at - Date.now();
    if (left <= 0) return end(expired());
    timer = setTimeout(wait, Math.min(left, LONGEST_TIMER_MS));
    timer.unref();
  };
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  wait();
}

function expired(): GraphQLError {
  return codedError('The token has expired', 'UNAUTHENTICATED');
}

/** Reads a token with or without a scheme, such as `Bearer`. Guards may accept any of these. */
function claimOf(authorization = ''): unknown {
  const token = /^(?:[\w-]+\s+)?[\w-]+\.([\w-]+)\.[\w-]*$/;
  const payload = token.exec(authorization.trim())?.[1];
  if (payload === undefined) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown;
    return (claims as { exp?: unknown } | null)?.exp;
  } catch {
    return undefined;
  }
}
