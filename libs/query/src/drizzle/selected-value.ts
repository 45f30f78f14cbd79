import { getTableColumns, is, Table } from './drizzle-orm.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { sourceOf } from './drizzle-config.js';

/** The value of a sort key in a row: under its field, else under the property of the table, as `select()` has it. */
export function selectedValue(row: object, { field, column }: ResolvedSort): unknown {
  const record = row as Record<string, unknown>;
  if (Object.hasOwn(record, field)) return record[field];
  const source = sourceOf(column);
  const columns = is(source.table, Table) ? Object.entries(getTableColumns(source.table)) : [];
  const [property] = columns.find(([, own]) => own === source) ?? [source.name];
  return record[property];
}
