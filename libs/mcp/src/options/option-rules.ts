import { atLeast, kind, listOf, oneOf, Place, readBy } from '@fledge-internal/options';
import type { HttpMethod } from '../mcp.definitions.js';
import { McpOptionError } from '../mcp.errors.js';

/**
 * Returns the location of options, for error messages.
 * @param call function that receives the options, such as `McpModule.forRoot`
 * @param which a suffix. It identifies one of several calls, such as ` on NotesController.get`
 */
export function placeOf(call: string, which = ''): Place {
  return Place.ofCall((message) => new McpOptionError(message), call, which);
}

/** A time in milliseconds. Timers of Node.js would end at once after more than 24.8 days. */
export const milliseconds = atLeast(1, 24 * 86_400_000);

export const HTTP_METHODS: readonly HttpMethod[] = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'QUERY',
];

/** A list of HTTP methods. By default all methods. */
export const httpMethods = listOf(oneOf(...HTTP_METHODS).required).default(HTTP_METHODS);

/**
 * A list of scopes. A string is rejected, because `includes()` of a string would also find a part
 * of a scope.
 */
export const scopes = kind<readonly string[]>(
  "a list of scopes without spaces or quotes, such as ['tasks.read']",
  (value) => Array.isArray(value) && value.every(isScope),
);

/** Only some characters are allowed, because scopes are sent in a header (RFC 6749 §3.3). */
export function isScope(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(value);
}

/** The path of an endpoint, without a trailing slash. */
export const plainPath = readBy<string, string>((path, place) => {
  const trimmed = typeof path === 'string' ? path.replace(/\/+$/, '') : '';
  if (/^(\/[A-Za-z0-9_.~-]+)+$/.test(trimmed)) return trimmed;
  throw place.wrong(
    path,
    'a path that starts with a slash and has only letters, digits, "/", "_", ".", "~" and "-", ' +
      "such as '/_mcp'",
  );
});

/** True for an object that may be a store. A Redis client is not a store, but also connects. */
export function isStore(value: unknown): boolean {
  const { connect, duplicate } = Object(value) as Record<string, unknown>;
  return typeof connect === 'function' && duplicate === undefined;
}

/**
 * Waits until a store is connected, and checks its kind: each kind has its own methods.
 * @param option the group of options that contains the store
 * @throws McpOptionError if the store does not have `method`
 */
export async function connectedStore<Kept extends { close(): Promise<void> }>(
  option: 'sessions' | 'tasks' | 'writes',
  connecting: Promise<Kept>,
  method: keyof Kept & string,
): Promise<Kept> {
  const kept: Partial<Kept> | undefined = await connecting;
  if (typeof kept?.[method] === 'function') return kept as Kept;
  await kept?.close?.();
  const example = `redis${option.charAt(0).toUpperCase()}${option.slice(1)}({ client })`;
  throw new McpOptionError(
    `McpModule.forRoot({ ${option}: { store } }) is a store of another kind: it has no method ` +
      `${method}(). Pass a store such as ${example}.`,
  );
}
