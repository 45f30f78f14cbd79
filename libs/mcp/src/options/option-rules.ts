import { kind, listOf, oneOf, Place, readBy } from '@fledge-internal/options';
import type { HttpMethod } from '../mcp.definitions.js';
import { McpOptionError } from '../mcp.errors.js';

// Rules that several tables have.

/**
 * Where options stand, for messages.
 * @param call how the application passes them: `McpModule.forRoot`
 * @param which of several calls, such as ` on NotesController.get`
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

/** By default every HTTP method. */
export const httpMethods = listOf(oneOf(...HTTP_METHODS).required).default(HTTP_METHODS);

/** In a string instead of a list, a scope would be found as a part of another one. */
export const scopes = kind<readonly string[]>(
  "a list of strings, such as ['tasks.read']",
  (value) => Array.isArray(value) && value.every((scope) => typeof scope === 'string'),
).optional;

/** The path of an endpoint, without the slash at its end. */
export const plainPath = readBy<string, string>((path, place) => {
  const trimmed = typeof path === 'string' ? path.replace(/\/+$/, '') : '';
  if (/^(\/[A-Za-z0-9_.~-]+)+$/.test(trimmed)) return trimmed;
  throw place.wrong(path, "a path of plain segments with a leading slash, such as '/_mcp'");
});
