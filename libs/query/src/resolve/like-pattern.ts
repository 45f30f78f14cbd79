import type { TextFilter } from './resolved-query.js';

/**
 * The escape that every SQL dialect takes: `LIKE ? ESCAPE '!'`. A backslash is none, because dialects and
 * their string literals do not agree on it.
 */
export const LIKE_ESCAPE = '!';

/** The LIKE pattern for a part of a text; `%`, `_` and the escape itself are text in it. */
export function likePattern(
  operator: TextFilter['operator'],
  text: string,
  escape = LIKE_ESCAPE,
): string {
  let literal = text.replaceAll(escape, () => escape + escape);
  for (const wildcard of ['%', '_'])
    literal = literal.replaceAll(wildcard, () => escape + wildcard);
  return (operator === 'starts' ? '' : '%') + literal + (operator === 'ends' ? '' : '%');
}
