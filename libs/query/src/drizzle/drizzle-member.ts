import type { SQL } from 'drizzle-orm';
import { InvalidQueryConfigError } from '../query.errors.js';
import { nameOf, type SourcedColumn } from './drizzle-column.js';
import { type AnyColumn, Column, getTableColumns, is, Table } from './drizzle-orm.js';

/** A member of a row: a column, an expression, or a record of these, as for a joined table. */
export type DrizzleMember =
  | AnyColumn
  | SQL
  | SQL.Aliased
  | Readonly<Record<string, AnyColumn | SQL | SQL.Aliased>>;

/** The name by which `selectable` is resolved: that of the column, or one that no column has. */
export function memberNameOf(field: string, member: DrizzleMember): string {
  return is(member, Column) ? nameOf(member) : `select ${field}`;
}

/** The name of a column in its table. */
export function propertyOf(source: Column): string {
  const columns = is(source.table, Table) ? Object.entries(getTableColumns(source.table)) : [];
  const [property] = columns.find(([, own]) => own === source) ?? [source.name];
  return property;
}

/**
 * The names of the members that `fields` may ask for. The key has that of its property, unless the config names it.
 * @throws InvalidQueryConfigError if a row would have no key
 */
export function selectableMembers(
  selectable: Readonly<Record<string, DrizzleMember>> | undefined,
  primaryKey: readonly SourcedColumn[],
): Readonly<Record<string, string>> | undefined {
  if (selectable === undefined) return undefined;
  const given = Object.entries(selectable).map(([field, member]) => [
    field,
    memberNameOf(field, member),
  ]);
  const missing = primaryKey.filter((key) => !given.some(([, name]) => name === key.name));
  const taken = missing.find(({ source }) => Object.hasOwn(selectable, propertyOf(source)));
  if (primaryKey.length > 0 && taken === undefined) {
    const key = missing.map(({ source, name }) => [propertyOf(source), name]);
    return Object.fromEntries([...key, ...given]) as Record<string, string>;
  }
  throw new InvalidQueryConfigError(
    `A Drizzle query config has selectable, but no member for the key ${taken?.name ?? 'of a row'}.`,
    'Set primaryKey, and name its columns in selectable.',
  );
}
