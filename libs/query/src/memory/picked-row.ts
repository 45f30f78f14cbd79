import type { ResolvedField } from '../resolve/resolved-query.js';

/** The members of a row that were asked for, each under its field. Members that the row lacks are left out. */
export function pickedRow<Row extends object>(
  row: Row,
  fields: readonly ResolvedField[],
): Partial<Row> {
  const picked: Record<string, unknown> = {};
  for (const { field, name } of fields) {
    const path = Object.hasOwn(row, name) ? [name] : name.split('.');
    copyPath(row, path, picked, name === field ? path : [field]);
  }
  return picked as Partial<Row>;
}

function copyPath(
  row: unknown,
  [name = '', ...rest]: readonly string[],
  picked: Record<string, unknown>,
  [field = '', ...place]: readonly string[],
): void {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, name)) return;
  const value = (row as Record<string, unknown>)[name];
  if (rest.length === 0) picked[field] = value;
  else if (place.length === 0) copyPath(value, rest, picked, [field]);
  else {
    const inner = picked[field] ?? {};
    copyPath(value, rest, inner as Record<string, unknown>, place);
    picked[field] = value === null ? null : inner;
  }
}
