import type { RequestContext } from '@fledge/core';
import { LONGEST_TIMER_MS } from '@fledge/core/packages';
import type { GraphQLError } from 'graphql';
import { codedError } from '../operation/formatted-error.js';

/**
 * Returns the time at which the caller's authorization expires, in milliseconds since 1970. Returns
 * undefined if the authorization does not expire. Uses the first value that is a time: `expiresAt`
 * of the context (a Date or milliseconds), `exp` of the context's user (seconds), or `exp` of a
 * JSON Web Token in `authorization`. The token is not verified here, because a false `exp` can only
 * end an operation earlier.
 */
function expiryOf(ctx: RequestContext): number | undefined {
  const at: unknown = ctx.get('expiresAt');
  const time = at instanceof Date ? at.getTime() : at;
  if (isTime(time)) return time;
  const user = ctx.get<{ exp?: unknown } | null>('user');
  const seconds = [user?.exp, claimOf(ctx.headers.authorization)].find(isTime);
  return seconds === undefined ? undefined : seconds * 1_000;
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
