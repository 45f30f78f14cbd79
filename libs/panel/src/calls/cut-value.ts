const LONGEST_TEXT = 2_000;
const MOST_MEMBERS = 50;
const DEEPEST = 8;
const MOST_VALUES = 500;

/**
 * Copies a JSON value and shortens large parts, so that a kept call needs little memory. Each
 * removed part is replaced with a string.
 */
export function cutValue(value: unknown): unknown {
  return copied(value, 0, { left: MOST_VALUES });
}

function copied(value: unknown, depth: number, budget: { left: number }): unknown {
  budget.left -= 1;
  if (budget.left < 0) return '…';
  if (typeof value === 'string') return cutText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_MEMBERS).map((item) => copied(item, depth + 1, budget));
    const more = value.length - items.length;
    return more > 0 ? [...items, `… ${more} more`] : items;
  }
  const members = Object.entries(value).slice(0, MOST_MEMBERS);
  const cut: [string, unknown][] = members.map(([name, member]) => [
    cutText(name),
    copied(member, depth + 1, budget),
  ]);
  const more = Object.keys(value).length - members.length;
  if (more > 0) cut.push(['…', `${more} more`]);
  return Object.fromEntries(cut);
}

/** Shortens a string. `slice` alone would keep the whole string in memory. */
export function cutText(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest) return text;
  const kept = Buffer.from(text.slice(0, longest)).toString();
  return `${kept}… ${text.length - longest} more characters`;
}
