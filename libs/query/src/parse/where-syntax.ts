/** How deep groups may stand in each other. */
export const MAX_WHERE_DEPTH = 5;

/** True for a value that has to stand in quotes, and for a field that `where` cannot name. */
export function needsQuotes(text: string): boolean {
  return text.startsWith(' ') || text.endsWith(' ') || /[(),"]/.test(text);
}
