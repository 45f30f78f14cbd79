/** `address` without `address.city`, because databases reject a request with both. */
export function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)));
}

/**
 * Returns dotted paths as a tree. `a` and `b.c` return `{ a: true, b: { c: true } }`.
 * @param nest creates the value of an inner object
 */
export function treeOf(
  paths: readonly string[],
  nest: (inner: Record<string, unknown>) => unknown = (inner) => inner,
): Record<string, unknown> {
  const tree: Record<string, unknown> = {};
  for (const path of outermost(paths)) {
    const [name = '', ...rest] = path.split('.');
    if (rest.length === 0) tree[name] = true;
    else if (!Object.hasOwn(tree, name)) tree[name] = nest(treeOf(innerPaths(paths, name), nest));
  }
  return tree;
}

/** Returns the row itself if no field must be removed, otherwise a copy. */
export function withoutMembers<Row extends object>(
  row: Row,
  names: readonly string[],
): Partial<Row> {
  if (names.length === 0) return row;
  // Keeps the entity's class.
  const copy = Object.create(Object.getPrototypeOf(row) as object) as Record<string, unknown>;
  for (const [name, value] of Object.entries(row)) if (!names.includes(name)) copy[name] = value;
  return copy as Partial<Row>;
}

/** Removes an inner object completely if it contains no `kept` field. */
export function withoutPaths<Row extends object>(
  row: Row,
  paths: readonly string[],
  kept: readonly string[],
): Partial<Row> {
  return paths.reduce<Partial<Row>>((rest, path) => withoutPath(rest, path, kept), row);
}

function withoutPath<Row extends object>(row: Row, path: string, kept: readonly string[]): Row {
  const [name = '', ...rest] = path.split('.');
  if (!Object.hasOwn(row, name)) return row;
  const inner = (row as Record<string, unknown>)[name];
  const keptInside = innerPaths(kept, name);
  if (rest.length === 0 || keptInside.length === 0) return withoutMembers(row, [name]) as Row;
  if (typeof inner !== 'object' || inner === null) return row;
  const left = withoutPath(inner, rest.join('.'), keptInside);
  return Object.assign(withoutMembers(row, [name]), { [name]: left }) as Row;
}

function innerPaths(paths: readonly string[], name: string): string[] {
  return paths
    .filter((path) => path.startsWith(`${name}.`))
    .map((path) => path.slice(name.length + 1));
}
