import type { ColumnQueryFieldConfig } from '../config/field-config.js';
import { contentOfConfig } from '../config/config-content.js';
import { onceForContent } from '../config/once-for.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { ColumnType, QueryColumn } from './column.js';
import type { QuerySpec } from './resolve-query.js';

/** A column told by hand: its type, or more. Its `name` is that of the field unless given. */
export type ColumnDeclaration =
  Exclude<ColumnType, 'enum'> | (Omit<QueryColumn, 'name'> & { readonly name?: string });

/** The config of adapters whose backend knows no columns (Kysely, Knex, rows in memory). Also parses. */
export interface DeclaredQueryConfig extends ColumnQueryFieldConfig<ColumnDeclaration> {
  /** Fields of `columns`, or columns. */
  readonly searchColumns?: readonly (string | QueryColumn)[] | undefined;
  /** Fields of `columns` or `sortable`, or columns. @default none, and pages may repeat rows */
  readonly primaryKey?: string | readonly (string | QueryColumn)[] | undefined;
}

/**
 * The spec of a declared config; a config is looked at once.
 * @throws InvalidQueryConfigError
 */
export const specOf = onceForContent(contentOfConfig, (config: DeclaredQueryConfig): QuerySpec => {
  const columns = columnsOf(config.columns);
  const sortable = config.sortable === undefined ? columns : columnsOf(config.sortable);
  const known = { ...sortable, ...columns };
  const { primaryKey = [], searchColumns = [] } = config;
  return checkedSpec({
    columns,
    sortable,
    search: searchColumns.map((column) => named(column, known, 'searchColumns')),
    primaryKey: [primaryKey].flat().map((column) => named(column, known, 'primaryKey')),
    list: listOf(known),
  });
});

/** A declared list has no name, so its columns tell it from others. */
function listOf(columns: Readonly<Record<string, QueryColumn>>): string {
  const names = Object.values(columns).map(({ name }) => name);
  return [...new Set(names)].toSorted().join();
}

/**
 * The spec itself, when every query could work with it. Adapters that derive columns call it once a config.
 * @throws InvalidQueryConfigError
 */
export function checkedSpec(spec: QuerySpec): QuerySpec {
  const { columns, sortable = {}, search = [], primaryKey = [] } = spec;
  for (const column of [...Object.values(columns), ...Object.values(sortable)]) checkType(column);
  for (const column of [...search, ...primaryKey]) checkType(column);
  for (const { name, type } of search) {
    if (type === 'string') continue;
    throw new InvalidQueryConfigError(
      `Column "${name}" is searched but is of type ${type}.`,
      `Take it out of searchColumns: q looks for text.`,
    );
  }
  return spec;
}

function checkType({ name, type, values = [] }: QueryColumn): void {
  if (!Object.hasOwn(TYPES, type)) {
    throw new InvalidQueryConfigError(
      `Column "${name}" is declared as ${JSON.stringify(type) ?? 'undefined'}, which is no type.`,
      `Use one of ${Object.keys(TYPES).join(', ')}.`,
    );
  }
  if (type !== 'enum' || values.length > 0) return;
  throw new InvalidQueryConfigError(
    `Column "${name}" is an enum of no values.`,
    `List them: { type: 'enum', values: ['open', 'done'] }.`,
  );
}

const TYPES: Readonly<Record<ColumnType, true>> = {
  string: true,
  integer: true,
  bigint: true,
  number: true,
  decimal: true,
  boolean: true,
  date: true,
  time: true,
  timestamp: true,
  uuid: true,
  objectId: true,
  enum: true,
};

function columnsOf(
  declared: Readonly<Record<string, ColumnDeclaration>>,
): Record<string, QueryColumn> {
  return Object.fromEntries(
    Object.entries(declared).map(([field, column]) => [
      field,
      typeof column === 'string' ? { name: field, type: column } : { name: field, ...column },
    ]),
  );
}

function named(
  column: string | QueryColumn,
  known: Readonly<Record<string, QueryColumn>>,
  list: string,
): QueryColumn {
  if (typeof column === 'object' && column !== null) return column;
  if (Object.hasOwn(known, column)) return known[column] as QueryColumn;
  throw new InvalidQueryConfigError(
    `${list} names "${column}", which is no field of columns or sortable.`,
    `Give the column itself: { name: '${column}', type: 'string' }.`,
  );
}
