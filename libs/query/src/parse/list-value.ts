/**
 * Splits the value of `in`, `nin` or `between` at commas. A backslash escapes a comma, a backslash
 * or a space. Other backslashes are normal characters. Trims spaces around items, and drops empty
 * items.
 *
 * @example
 * ```ts
 * splitList('a, b\\,c'); // ['a', 'b,c']
 * ```
 */
export function splitList(text: string): string[] {
  const items: string[] = [];
  let item = '';
  // Spaces before this index were escaped, so they are not trimmed.
  let kept = 0;
  for (let i = 0; i <= text.length; i++) {
    const char = text[i];
    if (char === undefined || char === ',') {
      const end = trimmedLength(item, kept);
      if (end > 0) items.push(item.slice(0, end));
      item = '';
      kept = 0;
    } else if (char === '\\' && isEscapable(text[i + 1])) {
      item += text[++i] as string;
      kept = item.length;
    } else if (item !== '' || char !== ' ') {
      item += char;
    }
  }
  return items;
}

/**
 * Joins items with commas, so that `splitList` returns the same items. Omits empty items, because a
 * list cannot contain them.
 */
export function joinList(items: readonly (string | number | bigint | boolean)[]): string {
  return items
    .map(String)
    .filter((item) => item !== '')
    .map(escapeItem)
    .join(',');
}

function escapeItem(item: string): string {
  let start = 0;
  while (item[start] === ' ') start++;
  let end = item.length;
  while (end > start && item[end - 1] === ' ') end--;
  const escaped = item.slice(start, end).replaceAll('\\', '\\\\').replaceAll(',', '\\,');
  return '\\ '.repeat(start) + escaped + '\\ '.repeat(item.length - end);
}

function isEscapable(char: string | undefined): boolean {
  return char === ',' || char === '\\' || char === ' ';
}

/** Returns the length of the text without spaces at the end. The result is at least `kept`. */
function trimmedLength(item: string, kept: number): number {
  let end = item.length;
  while (end > kept && item[end - 1] === ' ') end--;
  return end;
}
