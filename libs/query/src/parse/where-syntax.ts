export const MAX_WHERE_DEPTH = 5;

/** A field name that needs quotes cannot be used in `where`. */
export function needsQuotes(text: string): boolean {
  return text.startsWith(' ') || text.endsWith(' ') || /[(),"]/.test(text);
}
