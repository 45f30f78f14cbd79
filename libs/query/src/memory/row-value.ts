import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { pathOfColumn, type QueryRelation } from '../resolve/relation.js';
import { nestedValueOf } from '../resolve/json-column.js';
import type { ResolvedField } from '../resolve/resolved-query.js';

/** The value of a column in a row, or null. */
export function rowValueOf(row: object, column: QueryColumn): ColumnValue | null {
  const value = nestedValueOf(propertyOf(row, pathOfColumn(column)), column);
  return isList(value) ? null : value;
}

/** The values of an `array` column in a row, without nulls; null if the row has no array. */
export function rowItemsOf(row: object, column: QueryColumn): readonly ColumnValue[] | null {
  const value = nestedValueOf(propertyOf(row, pathOfColumn(column)), column);
  return isList(value) ? value : null;
}

function isList<T>(value: T | readonly ColumnValue[]): value is readonly ColumnValue[] {
  return Array.isArray(value);
}

/** Returns the related rows of a row. A single related row may be stored without an array. */
export function relatedRowsOf(row: object, { name }: QueryRelation): object[] {
  const isRow = (value: unknown): value is object => typeof value === 'object' && value !== null;
  return [propertyOf(row, name)].flat().filter(isRow);
}

/**
 * Returns the property at a path, or null. If the row has a property whose name is the whole path,
 * that property is returned. Reads own properties only.
 */
function propertyOf(row: object, path: string): unknown {
  let value: unknown = row;
  for (const name of Object.hasOwn(row, path) ? [path] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/**
 * Returns the requested fields of a row, each under its field name. Leaves out fields that are
 * missing in the row.
 */
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
