import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { pathOfColumn, type QueryRelation } from '../resolve/relation.js';
import { nestedValueOf } from '../resolve/json-column.js';
import type { ResolvedField } from '../resolve/resolved-query.js';

export function rowValueOf(row: object, column: QueryColumn): ColumnValue | null {
  const value = nestedValueOf(propertyOf(row, pathOfColumn(column)), column);
  return isList(value) ? null : value;
}

/** The values of an `array` column in a row, without nulls. Null if the row has no array. */
export function rowItemsOf(row: object, column: QueryColumn): readonly ColumnValue[] | null {
  const value = nestedValueOf(propertyOf(row, pathOfColumn(column)), column);
  return isList(value) ? value : null;
}

function isList<T>(value: T | readonly ColumnValue[]): value is readonly ColumnValue[] {
  return Array.isArray(value);
}

/** A single related row may be an object instead of an array. */
export function relatedRowsOf(row: object, { name }: QueryRelation): object[] {
  const isRow = (value: unknown): value is object => typeof value === 'object' && value !== null;
  return [propertyOf(row, name)].flat().filter(isRow);
}

/** A property whose name is the whole path takes precedence. Reads only own properties. */
function propertyOf(row: object, path: string): unknown {
  let value: unknown = row;
  for (const name of Object.hasOwn(row, path) ? [path] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Omits fields that the row does not have. */
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
