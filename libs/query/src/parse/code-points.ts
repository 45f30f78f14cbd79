/** The first `count` code points of a text. Does not split a surrogate pair. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let i = 0; i < count && end < text.length; i++) {
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** True if a text has more than `count` code points. Reads no more than `count` of them. */
export function isLongerThan(text: string, count: number): boolean {
  return text.length > count && firstCodePoints(text, count).length < text.length;
}
