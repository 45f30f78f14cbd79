/** Whether no two items of a list are equal as JSON, in time linear to its size. */
export function allDistinct(asked: boolean, items: readonly unknown[]): boolean {
  return !asked || new Set(items.map(canonical)).size === items.length;
}

/** One text for equal values: the keys of an object in order, a string never like a number. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}
