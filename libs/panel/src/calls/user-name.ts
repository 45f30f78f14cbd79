import type { RequestContext } from '@fledge/core';
import { cutText } from './cut-value.js';

/** Properties that name a user, in this order. */
const NAMES = ['id', 'sub', 'userId', 'email', 'username', 'name'] as const;

/** Characters of a name that are shown. */
const LONGEST = 100;

/**
 * A short name of the user of a request, as guards, context decorators or Passport stored the user. Undefined if the
 * user is not an object with a property of `NAMES`. Other values are not shown: a string may be a token.
 */
export function userNameOf(ctx: RequestContext | undefined): string | undefined {
  const user = ctx?.get<unknown>('user');
  if (typeof user !== 'object' || user === null) return undefined;
  for (const name of NAMES) {
    const text = textOf(user, name);
    if (text !== undefined) return cutText(text, LONGEST);
  }
  return undefined;
}

function textOf(user: object, name: string): string | undefined {
  try {
    const value = (user as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'string') return value === '' ? undefined : value;
    return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
  } catch {
    // A getter of the application. It must not fail the call.
    return undefined;
  }
}
