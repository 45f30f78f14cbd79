/** Counts the characters of a string. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** Shortens a string to a width. */
export function cut(text: string, width: number): string {
  return lengthOf(text) <= width ? text : `${[...text].slice(0, width - 1).join('')}…`;
}

/** Shortens or pads a string to a width. */
export function fit(text: string, width: number): string {
  const cell = cut(text, width);
  return cell + ' '.repeat(width - lengthOf(cell));
}
