import type { TextFilter } from './resolved-query.js';

/**
 * The escape character of `LIKE ? ESCAPE '!'`. Not a backslash, which dialects and their string literals treat
 * differently.
 */
export const LIKE_ESCAPE = '!';

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
