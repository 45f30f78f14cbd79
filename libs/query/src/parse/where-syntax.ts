/** Maximum nesting depth of groups. */
export const MAX_WHERE_DEPTH = 5;

/**
 * Returns true for a value that must be quoted, and for a field name that `where` cannot contain.
 */
export function needsQuotes(text: string): boolean {
  return text.startsWith(' ') || text.endsWith(' ') || /[(),"]/.test(text);
}
