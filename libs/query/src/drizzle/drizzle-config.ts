import {
  type AnyColumn,
  Column,
  getTableColumns,
  getTableName,
  getTableUniqueName,
  is,
  Table,
} from './drizzle-orm.js';
import type { ColumnQueryFieldConfig } from '../config/field-config.js';
import { contentOfConfig } from '../config/config-content.js';
import { onceFor, onceForContent } from '../config/once-for.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryColumn, TypeOfColumn } from '../resolve/column.js';
import { checkedSpec } from '../resolve/checked-spec.js';
import { refuseRelations } from '../resolve/declared-relations.js';
import type { QuerySpec } from '../resolve/resolve-query.js';
import { derivedTypeOf, holdsValuesOf } from './derived-type.js';

/** Maps fields to Drizzle columns. `parseQuery` takes it too. */
export interface DrizzleQueryConfig extends ColumnQueryFieldConfig<DrizzleColumn> {
  /** Text columns that `q` searches. @default none: `q` is ignored */
  readonly searchColumns?: readonly DrizzleColumn[] | undefined;
  /** Appended to each order. A composite key must be set. @default the columns marked `.primaryKey()` in the tables */
  readonly primaryKey?: DrizzleColumn | readonly DrizzleColumn[] | undefined;
}

/** A column of a table, from which type, values and nullability are read; or a declaration. */
export type DrizzleColumn = AnyColumn | DrizzleColumnDeclaration;

/** A column with properties that Drizzle does not provide: for a custom type, an outer join, fewer operators. */
export interface DrizzleColumnDeclaration extends Partial<Omit<QueryColumn, 'name'>> {
  readonly column: AnyColumn;
}

/** A `QueryColumn` with its Drizzle column. */
interface SourcedColumn extends QueryColumn {
  readonly source: Column;
}

/**
 * The spec of a config, cached by identity and content. Its columns are `SourcedColumn`s.
 * @throws InvalidQueryConfigError
 */
export const drizzleSpecOf = onceForContent(
  contentOfDrizzle,
  (config: DrizzleQueryConfig): QuerySpec => {
    refuseRelations('Drizzle', config);
    const columns = columnsOf('columns', config.columns);
    const sortable =
      config.sortable === undefined ? columns : columnsOf('sortable', config.sortable);
    const search = (config.searchColumns ?? []).map((column) => columnOf('searchColumns', column));
    const known = [...Object.values({ ...sortable, ...columns }), ...search];
    const { primaryKey = primaryColumnsOf(known) } = config;
    return checkedSpec({
      columns,
      sortable,
      search,
      primaryKey: [primaryKey].flat().map((column) => columnOf('primaryKey', column)),
      list: tablesOf(known).map(getTableUniqueName).toSorted().join(),
    });
  },
);

function contentOfDrizzle(config: DrizzleQueryConfig): string | undefined {
  return contentOfConfig(config, (value) => (is(value, Column) ? keyOf(value) : undefined));
}

let columnsSeen = 0;
/** A unique text per column. Starts with a character that names in a config do not contain. */
const keyOf = onceFor((_: Column) => `\0${++columnsSeen}`);

/** The Drizzle column of a column from `drizzleSpecOf`. Other columns do not occur in this adapter. */
export function sourceOf(column: QueryColumn): Column {
  return (column as SourcedColumn).source;
}

function columnsOf(
  list: string,
  given: Readonly<Record<string, DrizzleColumn>>,
): Record<string, SourcedColumn> {
  return Object.fromEntries(
    Object.entries(given).map(([field, column]) => [field, columnOf(`${list}.${field}`, column)]),
  );
}

function columnOf(path: string, given: DrizzleColumn): SourcedColumn {
  const { column: source, ...declared } = is(given, Column) ? { column: given } : { ...given };
  if (!is(source, Column)) {
    throw new InvalidQueryConfigError(
      `${path} of a Drizzle query config is not a column.`,
      `Set it to a column of a table, such as tasks.title.`,
    );
  }
  // With the table, because two joined tables may have columns of one name.
  const name = `${getTableName(source.table)}.${source.name}`;
  return {
    nullable: !source.notNull,
    ...typeOf(name, source, declared),
    ...declared,
    name,
    source,
  };
}

function typeOf(
  name: string,
  source: Column,
  { type }: Partial<Omit<QueryColumn, 'name'>>,
): TypeOfColumn {
  const derived = derivedTypeOf(source);
  if (type === undefined) {
    if (derived !== undefined) return derived;
    throw new InvalidQueryConfigError(
      `Column "${name}" has the type ${source.columnType}, which cannot be filtered or sorted.`,
      holdsValuesOf(source, 'string')
        ? `Remove it, or declare its type: { column, type: 'string' }.`
        : `Remove it.`,
    );
  }
  if (holdsValuesOf(source, type)) {
    const { asText, hasCursors } = derived?.type === type ? derived : {};
    return {
      type,
      ...(asText !== undefined && { asText }),
      ...(hasCursors !== undefined && { hasCursors }),
    };
  }
  throw new InvalidQueryConfigError(
    `Column "${name}" is declared as ${type}, but its values in Drizzle are of type ${source.dataType}.`,
    `Declare a type that fits, or define the column with customType().`,
  );
}

function primaryColumnsOf(columns: readonly SourcedColumn[]): AnyColumn[] {
  return tablesOf(columns).flatMap((table) =>
    Object.values<AnyColumn>(getTableColumns(table)).filter(({ primary }) => primary),
  );
}

function tablesOf(columns: readonly SourcedColumn[]): Table[] {
  const tables = new Set(columns.map(({ source }) => source.table));
  return [...tables].filter((table) => is(table, Table));
}
