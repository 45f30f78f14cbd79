import type { TextFilter } from '../resolve/resolved-query.js';

/**
 * The escape character of `LIKE ? ESCAPE '!'`. Not a backslash, which dialects and their string literals treat
 * differently.
 */
export const LIKE_ESCAPE = '!';

/**
 * Follows a column of PostgreSQL in a comparison of text without case. A collation of its own may refuse LIKE, or know
 * other small letters: Turkish has none for I. With the default collation nothing changes, and indexes serve it.
 */
export const PG_COLLATION = 'collate "default"';

/** The LIKE pattern for a part of a text, or for the whole text. Escapes `%`, `_` and the escape character. */
export function likePattern(
  operator: TextFilter['operator'],
  text: string,
  escape = LIKE_ESCAPE,
): string {
  let literal = text.replaceAll(escape, () => escape + escape);
  for (const wildcard of ['%', '_'])
    literal = literal.replaceAll(wildcard, () => escape + wildcard);
  if (operator === 'ieq') return literal;
  return (operator === 'starts' ? '' : '%') + literal + (operator === 'ends' ? '' : '%');
}
