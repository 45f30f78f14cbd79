import { valueAtPath } from '../resolve/property-path.js';
import { pathOfColumn } from '../resolve/relation.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { sortedColumnOf } from '../shared-sql/sort-joins.js';
import type { StepsOf } from '../shared-sql/sql-join.js';

/** The value of a sort key in a row: the property named as the field, else as the column. */
export function sortValueOf(row: object, { field, column }: ResolvedSort): unknown {
  const record = row as Record<string, unknown>;
  if (Object.hasOwn(record, field)) return record[field];
  return column.relation ? valueAtPath(row, pathOfColumn(column)) : record[column.name];
}

/** Reads a sort key as a query with the joins of `sortJoinsOf` returns it. */
export function sortValueReader(stepsOf: StepsOf): (row: object, key: ResolvedSort) => unknown {
  return (row, key) => {
    const joined = sortedColumnOf(key.column, stepsOf);
    if (joined === undefined || !Object.hasOwn(row, joined.as)) return sortValueOf(row, key);
    return (row as Record<string, unknown>)[joined.as];
  };
}
