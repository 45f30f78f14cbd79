import type { RequestContext } from '@fledge/core';
import { cutText } from './cut-value.js';

/** Properties that can name a user, in order of preference. */
const NAMES = ['id', 'sub', 'userId', 'email', 'username', 'name'] as const;

/** Maximum characters of a displayed name. */
const LONGEST = 100;

/**
 * Returns a short name of the user that guards, context decorators or Passport stored in a request.
 * Returns undefined if the user is not an object with a property of `NAMES`. A plain string is not
 * shown: it may be a token.
 */
export function userNameOf(ctx: RequestContext | undefined): string | undefined {
  const user = ctx?.get<unknown>('user');
  if (typeof user !== 'object' || user === null) return undefined;
  for (const name of NAMES) {
    const text = textOf(user, name);
    if (text !== undefined) return shortName(text);
  }
  return undefined;
}

/** Shortens the name of a user. */
export function shortName(name: string): string {
  return cutText(name, LONGEST);
}

function textOf(user: object, name: string): string | undefined {
  try {
    const value = (user as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'string') return value === '' ? undefined : value;
    return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
  } catch {
    // The property may be a getter that throws. The call must not fail in this case.
    return undefined;
  }
}
