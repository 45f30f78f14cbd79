/** The JSON Schema pattern of a `RegExp`, or the reason why there is no pattern. */
export type JsonPattern = { readonly pattern: string } | { readonly refused: string };

/**
 * Converts a regular expression to a JSON Schema pattern. Such a pattern has no flags and uses
 * Unicode mode. The flags `g` and `u` have no effect in a pattern, so they are dropped. Other flags
 * are dropped if they cannot change the result. Otherwise, the expression is rejected.
 */
export function jsonPatternOf(expression: unknown, modifiers: unknown): JsonPattern {
  const regExp = toRegExp(expression, modifiers);
  if (regExp === undefined) return { refused: 'the value is not a regular expression' };
  const flag = [...regExp.flags].find((candidate) => matters(candidate, regExp.source));
  if (flag !== undefined) return { refused: `JSON Schema does not support the flag "${flag}"` };
  const pattern = regExp.unicode ? regExp.source : inUnicodeMode(regExp.source);
  return toRegExp(pattern, 'u') === undefined
    ? { refused: 'the pattern is not valid in Unicode mode' }
    : { pattern };
}

function matters(flag: string, source: string): boolean {
  switch (flag) {
    case 'i':
      return /\p{L}/u.test(source.replaceAll(/\\[dDwWsSbB]/g, ''));
    case 'm':
      return /[\^$]/.test(source);
    case 's':
      return source.includes('.');
    default:
      return flag === 'v' || flag === 'y';
  }
}

/** Replaces escapes that Unicode mode rejects, such as `\-` or `\@`, with their character code. */
function inUnicodeMode(source: string): string {
  return source.replaceAll(/\\([\s\S])/g, (escape, character: string) =>
    /[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(character)
      ? escape
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function toRegExp(expression: unknown, modifiers: unknown): RegExp | undefined {
  if (expression instanceof RegExp) return expression;
  if (typeof expression !== 'string') return undefined;
  try {
    return new RegExp(expression, typeof modifiers === 'string' ? modifiers : '');
  } catch {
    return undefined;
  }
}
