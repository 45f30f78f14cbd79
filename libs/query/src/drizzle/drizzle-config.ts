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
import type { QueryColumn } from '../resolve/column.js';
import { checkedSpec } from '../resolve/declared-columns.js';
import type { QuerySpec } from '../resolve/resolve-query.js';
import { derivedTypeOf, type DerivedType, holdsValuesOf } from './derived-type.js';

/** What the columns of a query are to Drizzle. Also parses. */
export interface DrizzleQueryConfig extends ColumnQueryFieldConfig<DrizzleColumn> {
  /** Columns of text that `q` searches. @default none, and `q` is not looked at */
  readonly searchColumns?: readonly DrizzleColumn[] | undefined;
  /** @default the columns marked `.primaryKey()` in the tables of this config; tell a composite key here */
  readonly primaryKey?: DrizzleColumn | readonly DrizzleColumn[] | undefined;
}

/** A column; its type, values and nullability are read from it. */
export type DrizzleColumn = AnyColumn | DrizzleColumnDeclaration;

/** A column of which more is known than Drizzle can tell: a custom type, an outer join, fewer operators. */
export interface DrizzleColumnDeclaration extends Partial<Omit<QueryColumn, 'name'>> {
  readonly column: AnyColumn;
}

/** A resolved column that still knows its Drizzle column. */
interface SourcedColumn extends QueryColumn {
  readonly source: Column;
}

/**
 * The spec of a config, its columns all `SourcedColumn`s; a config is looked at once.
 * @throws InvalidQueryConfigError
 */
export const drizzleSpecOf = onceForContent(
  contentOfDrizzle,
  (config: DrizzleQueryConfig): QuerySpec => {
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
  return contentOfConfig(config, (value) => (is(value, Column) ? wordOf(value) : undefined));
}

let columnsSeen = 0;
/** Starts with a character that no name of a config has. */
const wordOf = onceFor((_: Column) => `\0${++columnsSeen}`);

/** The Drizzle column behind a column of `drizzleSpecOf`: there are no others here. */
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

function columnOf(place: string, given: DrizzleColumn): SourcedColumn {
  const { column: source, ...declared } = is(given, Column) ? { column: given } : { ...given };
  if (!is(source, Column)) {
    throw new InvalidQueryConfigError(
      `${place} of a Drizzle query config is no column.`,
      `Give one of a table: tasks.title.`,
    );
  }
  // With its table, because two joined tables may both have a "name".
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
): DerivedType {
  const derived = derivedTypeOf(source);
  if (type === undefined) {
    if (derived !== undefined) return derived;
    throw new InvalidQueryConfigError(
      `Column "${name}" is a ${source.columnType}, whose values no text of a query stands for.`,
      holdsValuesOf(source, 'string')
        ? `Leave it out, or say what it holds: { column, type: 'string' }.`
        : `Leave it out.`,
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
    `Column "${name}" is declared as ${type} but Drizzle gives it values of type ${source.dataType}.`,
    `Declare a type it takes, or define it with customType().`,
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
