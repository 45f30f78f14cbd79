/** A Markdown table. A heading that begins with `>` names a column of numbers, set to the right. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const lines = [
    headings.map((heading) => heading.replace(/^>/, '')),
    headings.map((heading) => (heading.startsWith('>') ? '--:' : '---')),
    ...rows,
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
