/** Returns the most similar name. Returns undefined if more than a third of the letters differ. */
export function nearestTo(wanted: string, names: readonly string[]): string | undefined {
  const best = names
    .map((name) => ({ name, ...distancesOf(wanted.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance || a.letters - b.letters)[0];
  return best && best.distance <= Math.max(1, wanted.length / 3) ? best.name : undefined;
}

/**
 * Returns the distance of two names. The distance is at most 1 if one name contains the other, or
 * if both have the same letters in another order. Otherwise it is the Levenshtein distance. If two
 * distances are equal, the smaller `letters` wins: `orotFields` means `rootFields`, not `fields`.
 */
function distancesOf(wanted: string, name: string): { distance: number; letters: number } {
  const letters = lettersBetween(wanted, name);
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  const contains = short.length > 2 && long.includes(short);
  const isReordered = inOrder(wanted) === inOrder(name);
  return { letters, distance: contains || isReordered ? Math.min(1, letters) : letters };
}

function inOrder(name: string): string {
  return [...name].toSorted().join('');
}

/** The Levenshtein distance: the number of letters to insert, delete or replace. */
function lettersBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = row[j]! + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
