/** Returns the first `count` code points of a text. Does not split a surrogate pair. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  return [...text.slice(0, 2 * count)].slice(0, count).join('');
}

/** Returns true if a text has more than `count` code points. Does not read the rest of the text. */
export function isLongerThan(text: string, count: number): boolean {
  return text.length > count && firstCodePoints(text, count).length < text.length;
}
