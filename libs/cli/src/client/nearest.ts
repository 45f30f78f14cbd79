/** Returns up to three similar names, by edit distance. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  const low = wanted.toLowerCase();
  const most = Math.max(2, Math.floor(low.length / 4));
  const found = names.map((name) => ({ name, letters: lettersBetween(low, name.toLowerCase()) }));
  const least = Math.min(most, ...found.map(({ letters }) => letters));
  const close = found.filter(({ letters }) => letters === least);
  const within = found.filter(({ name }) => low.length > 2 && name.toLowerCase().includes(low));
  return (close.length > 0 ? close : within).slice(0, 3).map(({ name }) => name);
}

// internal/options has the same function, but this package does not import it.
/** Returns the Levenshtein distance: the number of letters to insert, delete or replace. */
function lettersBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] as number) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
