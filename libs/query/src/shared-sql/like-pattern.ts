import type { TextFilter } from '../resolve/resolved-query.js';

/**
 * The escape character in `LIKE ? ESCAPE '!'`. A backslash is unsuitable, because dialects and
 * string literals treat it differently.
 */
export const LIKE_ESCAPE = '!';

/**
 * Added to a PostgreSQL column for case-insensitive comparisons. The column's own collation may not
 * support LIKE, or may convert letters differently: in Turkish, the lower case of I is not i. If
 * the column has the default collation, its indexes still work.
 */
export const PG_COLLATION = 'collate "default"';

/** Escapes `%`, `_` and the escape character. */
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
