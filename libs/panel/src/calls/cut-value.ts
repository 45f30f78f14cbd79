const LONGEST_TEXT = 2_000;
const MOST_MEMBERS = 50;
const DEEPEST = 8;
const MOST_VALUES = 500;
/** Maximum characters of all strings and names together. */
const MOST_CHARACTERS = 100_000;

/**
 * Copies a JSON value and shortens large parts, so that a kept call needs little memory. Each
 * removed part is replaced with a string.
 */
export function cutValue(value: unknown): unknown {
  return copied(value, 0, { values: MOST_VALUES, characters: MOST_CHARACTERS });
}

interface Budget {
  values: number;
  characters: number;
}

function copied(value: unknown, depth: number, budget: Budget): unknown {
  budget.values -= 1;
  if (budget.values < 0) return '…';
  if (typeof value === 'string') return cutWithin(budget, value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_MEMBERS).map((item) => copied(item, depth + 1, budget));
    const more = value.length - items.length;
    return more > 0 ? [...items, `… ${more} more`] : items;
  }
  const names = Object.keys(value);
  const cut = names.slice(0, MOST_MEMBERS).map((name): [string, unknown] => {
    const member = (value as Record<string, unknown>)[name];
    return [cutWithin(budget, name), copied(member, depth + 1, budget)];
  });
  const more = names.length - cut.length;
  if (more > 0) cut.push(['…', `${more} more`]);
  return Object.fromEntries(cut);
}

function cutWithin(budget: Budget, text: string): string {
  const longest = Math.min(LONGEST_TEXT, budget.characters);
  budget.characters -= Math.min(longest, text.length);
  return cutText(text, longest);
}

/** Shortens a string. `slice` alone would keep the whole string in memory. */
export function cutText(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest) return text;
  const kept = Buffer.from(text.slice(0, longest)).toString();
  return `${kept}… ${text.length - longest} more characters`;
}
