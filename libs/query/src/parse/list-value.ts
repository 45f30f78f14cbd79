/**
 * The items of a list value, as `in` and `between` have them: commas separate, `\,` `\\` and `\ ` stand for
 * the character behind the backslash, outer blanks go, empty items go. Other backslashes are text.
 *
 * @example
 * ```ts
 * splitList('a, b\\,c'); // ['a', 'b,c']
 * ```
 */
export function splitList(text: string): string[] {
  const items: string[] = [];
  let item = '';
  // Blanks up to here were escaped and stay.
  let kept = 0;
  for (let i = 0; i <= text.length; i++) {
    const char = text[i];
    if (char === undefined || char === ',') {
      const end = blanksBefore(item, kept);
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

/** The text that `splitList` takes apart into these items. Empty items cannot be told and are left out. */
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

/** Where the blanks at the end begin; escaped ones, up to `kept`, stay. */
function blanksBefore(item: string, kept: number): number {
  let end = item.length;
  while (end > kept && item[end - 1] === ' ') end--;
  return end;
}
