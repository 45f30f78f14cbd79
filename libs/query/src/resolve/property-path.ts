/** Returns `{ owner: { name: value } }` for the path `owner.name`. */
export function nestedAtPath(path: string, value: unknown): Record<string, unknown> {
  return path
    .split('.')
    .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
}

/** Returns null if a part of the path is null, and undefined if a part is missing. */
export function valueAtPath(row: object, path: string): unknown {
  let value: unknown = row;
  for (const name of path.split('.')) {
    if (value === null || value === undefined) break;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
