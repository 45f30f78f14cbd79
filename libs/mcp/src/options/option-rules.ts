import { kind, listOf, oneOf, Place, readBy } from '@fledge-internal/options';
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
