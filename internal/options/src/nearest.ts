/** The most similar name, where a third of its letters or less differ. */
export function nearestTo(wanted: string, names: readonly string[]): string | undefined {
  const best = names
    .map((name) => ({ name, distance: distanceOf(wanted.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= Math.max(1, wanted.length / 3) ? best.name : undefined;
}

/** One, where a name contains the other or has its letters in another order; else Levenshtein's. */
function distanceOf(wanted: string, name: string): number {
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  if (wanted === name) return 0;
  if (short.length > 2 && long.includes(short)) return 1;
  return inOrder(wanted) === inOrder(name) ? 1 : lettersBetween(wanted, name);
}

function inOrder(name: string): string {
  return [...name].toSorted().join('');
}

/** How many letters have to be put in, left out or replaced (Levenshtein). */
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
