/** Describes a value of the wrong type, for error messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  return Symbol.asyncIterator in value ? 'an async iterable' : 'an object';
}

/** Returns true for objects that `for...of` accepts. Strings do not count. */
export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
