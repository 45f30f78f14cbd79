import type { ColumnQueryFieldConfig } from '../config/field-config.js';
import { contentOfConfig } from '../config/config-content.js';
import { onceForContent } from '../config/once-for.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { ColumnType, QueryColumn } from './column.js';
import type { QuerySpec } from './resolve-query.js';

/** A column declared by hand: its type, or an object with more. @default `name`: the name of the field */
export type ColumnDeclaration =
  Exclude<ColumnType, 'enum'> | (Omit<QueryColumn, 'name'> & { readonly name?: string });

/**
 * The config of adapters without column metadata: Kysely, Knex, Prisma and rows in memory. `parseQuery` takes it too.
 */
export interface DeclaredQueryConfig extends ColumnQueryFieldConfig<ColumnDeclaration> {
  /** Columns of type `string` that `q` searches: fields of `columns`, or columns. @default none: `q` is ignored */
  readonly searchColumns?: readonly (string | QueryColumn)[] | undefined;
  /** Appended to each order: fields of `columns` or `sortable`, or columns. @default none: pages may repeat rows */
  readonly primaryKey?: string | readonly (string | QueryColumn)[] | undefined;
}

/**
 * The spec of a declared config, cached by identity and content.
 * @throws InvalidQueryConfigError
 */
export const declaredSpec = onceForContent(
  contentOfConfig,
  (config: DeclaredQueryConfig): QuerySpec => {
    const columns = columnsOf(config.columns);
    const sortable = config.sortable === undefined ? columns : columnsOf(config.sortable);
    const known = { ...sortable, ...columns };
    const { primaryKey = [], searchColumns = [] } = config;
    return checkedSpec({
      columns,
      sortable,
      search: searchColumns.map((column) => namedColumn(column, known, 'searchColumns')),
      primaryKey: [primaryKey].flat().map((column) => namedColumn(column, known, 'primaryKey')),
      list: listOf(known),
    });
  },
);

/** Identifies the list by its columns, because a declared config does not name a table. */
function listOf(columns: Readonly<Record<string, QueryColumn>>): string {
  const names = Object.values(columns).map(({ name }) => name);
  return [...new Set(names)].toSorted().join();
}

/**
 * Checks the columns of a spec and returns it.
 * @throws InvalidQueryConfigError
 */
export function checkedSpec(spec: QuerySpec): QuerySpec {
  const { columns, sortable = {}, search = [], primaryKey = [] } = spec;
  for (const column of [...Object.values(columns), ...Object.values(sortable)]) checkType(column);
  for (const column of [...search, ...primaryKey]) checkType(column);
  for (const { name, type } of search) {
    if (type === 'string') continue;
    throw new InvalidQueryConfigError(
      `Column "${name}" is searched by q, but its type is ${type}.`,
      `Remove it from searchColumns or searchable: q searches columns of type string.`,
    );
  }
  return spec;
}

function checkType({ name, type, values = [] }: QueryColumn): void {
  if (!Object.hasOwn(TYPES, type)) {
    throw new InvalidQueryConfigError(
      `Column "${name}" has the unknown type ${JSON.stringify(type) ?? 'undefined'}.`,
      `Use one of ${Object.keys(TYPES).join(', ')}.`,
    );
  }
  if (type !== 'enum' || values.length > 0) return;
  throw new InvalidQueryConfigError(
    `Column "${name}" is an enum without values.`,
    `List its values: { type: 'enum', values: ['open', 'done'] }.`,
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

function namedColumn(
  column: string | QueryColumn,
  known: Readonly<Record<string, QueryColumn>>,
  list: string,
): QueryColumn {
  if (typeof column === 'object' && column !== null) return column;
  if (Object.hasOwn(known, column)) return known[column] as QueryColumn;
  throw new InvalidQueryConfigError(
    `${list} contains "${column}", which is not a field of columns or sortable.`,
    `Declare the column there: { name: '${column}', type: 'string' }.`,
  );
}
