import type { SQL } from 'drizzle-orm';
import { InvalidQueryConfigError } from '../query.errors.js';
import { nameOf, type SourcedColumn, sourceOf } from './drizzle-column.js';
import { type AnyColumn, Column, getTableColumns, is, Table } from './drizzle-orm.js';
import type { QuerySpec, ResolvedField, ResolvedQuery } from '../resolve/resolved-query.js';

/**
 * An element of a selected row: a column, an expression, or an object of columns and expressions.
 */
export type DrizzleMember =
  | AnyColumn
  | SQL
  | SQL.Aliased
  | Readonly<Record<string, AnyColumn | SQL | SQL.Aliased>>;

/** The name under which an element of `selectable` is resolved. */
function memberNameOf(field: string, member: DrizzleMember): string {
  return is(member, Column) ? nameOf(member) : `select ${field}`;
}

/** Returns the property of the table object that contains a column. */
export function propertyOf(source: Column): string {
  const columns = Object.entries(columnsBeside(source));
  const [property] = columns.find(([, own]) => own === source) ?? [source.name];
  return property;
}

/** Returns true if the table of the column has a column under this property. */
export function hasProperty(source: Column, property: string): boolean {
  return Object.hasOwn(columnsBeside(source), property);
}

function columnsBeside({ table }: Column): Readonly<Record<string, Column>> {
  return is(table, Table) ? getTableColumns(table) : {};
}

/**
 * Adds the primary key if `selectable` does not contain it.
 * @throws InvalidQueryConfigError if rows would have no key
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
    '`selectable` of a Drizzle query config does not contain the primary key' +
      (taken === undefined ? '.' : ` "${taken.name}".`),
    'Set `primaryKey`, and list its columns in `selectable`.',
  );
}

/** The fields that a query requests. Empty for the whole row. */
export interface DrizzleSelection {
  readonly select?: Readonly<Record<string, DrizzleMember>>;
  /**
   * The option `columns` of a relational query. Contains only columns of the table that has the
   * primary key.
   */
  readonly columns?: Readonly<Record<string, true>>;
}

export function selectionOf(
  query: ResolvedQuery,
  {
    selectable = {},
  }: { readonly selectable?: Readonly<Record<string, DrizzleMember>> | undefined },
  { primaryKey = [] }: QuerySpec,
): DrizzleSelection {
  if (query.fields === undefined) return {};
  const others = [...primaryKey, ...query.sort.map(({ column }) => column)];
  const memberOf = ({ field, name }: ResolvedField): DrizzleMember | undefined => {
    const member = Object.hasOwn(selectable, field) ? selectable[field] : undefined;
    if (member !== undefined && memberNameOf(field, member) === name) return member;
    const column = others.find((other) => other.name === name);
    return column && sourceOf(column);
  };
  const tables = new Set(primaryKey.map((column) => sourceOf(column).table));
  const select: Record<string, DrizzleMember> = {};
  const columns: Record<string, true> = {};
  for (const [i, field] of query.fields.entries()) {
    const member = memberOf(field);
    if (member === undefined) continue;
    // Another element may already have the name of the sort key's field.
    select[Object.hasOwn(select, field.field) ? `__key_${i}` : field.field] = member;
    if (is(member, Column) && tables.has(member.table)) columns[propertyOf(member)] = true;
  }
  return { select, columns };
}

/**
 * Returns the value of a column in a row. In the row of a `select()`, the key is the name of the
 * element. In the row of a relational query, the key is the property of the table object.
 */
export function selectedValue(row: object, source: Column, { select = {} }: DrizzleSelection) {
  const record = row as Record<string, unknown>;
  const [member] = Object.entries(select).find(([, own]) => own === source) ?? [];
  return record[
    member !== undefined && Object.hasOwn(record, member) ? member : propertyOf(source)
  ];
}

/** Returns the names that are only in the second selection. */
export function membersBeside(asked: DrizzleSelection, fetched: DrizzleSelection): string[] {
  const namesOf = ({ select, columns }: DrizzleSelection) => Object.keys({ ...select, ...columns });
  const own = new Set(namesOf(asked));
  return namesOf(fetched).filter((name) => !own.has(name));
}
