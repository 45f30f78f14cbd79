import type { TextFilter } from '../resolve/resolved-query.js';

/**
 * The escape character of `LIKE ? ESCAPE '!'`. Not a backslash, which dialects and their string literals treat
 * differently.
 */
export const LIKE_ESCAPE = '!';

/**
 * Added to a PostgreSQL column in a case-insensitive comparison. The column's own collation may not
 * support LIKE, or may map letters differently: Turkish does not map I to i. For a column with the
 * default collation nothing changes, so its indexes are used.
 */
export const PG_COLLATION = 'collate "default"';

/**
 * Returns the LIKE pattern for a part of a string, or for the whole string. Escapes `%`, `_` and
 * the escape character.
 */
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
