import type { QuerySpec } from '../resolve/resolved-query.js';
import type { ResolvedField, ResolvedQuery } from '../resolve/resolved-query.js';
import { sourceOf } from './drizzle-column.js';
import type { DrizzleQueryConfig } from './drizzle-config.js';
import { type DrizzleMember, memberNameOf, propertyOf } from './drizzle-member.js';
import { Column, is } from './drizzle-orm.js';

/** The members that a query asks for; empty for the whole row. */
export interface DrizzleSelection {
  /** For `db.select()`. */
  readonly select?: Readonly<Record<string, DrizzleMember>>;
  /** For the `columns` of a relational query: the members that are columns of the table of the key. */
  readonly columns?: Readonly<Record<string, true>>;
}

export function selectionOf(
  query: ResolvedQuery,
  { selectable = {} }: DrizzleQueryConfig,
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
    // The field of a sort key may be another member of the row.
    select[Object.hasOwn(select, field.field) ? `__key_${i}` : field.field] = member;
    if (is(member, Column) && tables.has(member.table)) columns[propertyOf(member)] = true;
  }
  return { select, columns };
}

/** The value of a column in a row of a selection: under its member, or under its property in a relational query. */
export function selectedValue(row: object, source: Column, { select = {} }: DrizzleSelection) {
  const record = row as Record<string, unknown>;
  const [member] = Object.entries(select).find(([, own]) => own === source) ?? [];
  return record[
    member !== undefined && Object.hasOwn(record, member) ? member : propertyOf(source)
  ];
}

/** The names of members that only the second selection has. */
export function membersBeside(asked: DrizzleSelection, fetched: DrizzleSelection): string[] {
  const namesOf = ({ select, columns }: DrizzleSelection) => Object.keys({ ...select, ...columns });
  const own = new Set(namesOf(asked));
  return namesOf(fetched).filter((name) => !own.has(name));
}
