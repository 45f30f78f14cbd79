/** The first `count` code points of a text: never half of a surrogate pair. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let i = 0; i < count && end < text.length; i++) {
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Whether a text has more code points than that. Looks no further than it has to. */
export function isLongerThan(text: string, count: number): boolean {
  return text.length > count && firstCodePoints(text, count).length < text.length;
}
