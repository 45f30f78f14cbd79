import { checkColumnNames } from '../config/config-names.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryColumn, TypeOfColumn } from '../resolve/column.js';
import { checkedNesting } from '../resolve/json-column.js';
import type { QueryRelation } from '../resolve/relation.js';
import { dataTypeOf, derivedTypeOf, holdsValuesOf } from './derived-type.js';
import { type AnyColumn, Column, getTableName, is } from './drizzle-orm.js';

/**
 * A column of a table, or a declaration. The adapter reads type, values and nullability from the
 * column.
 */
export type DrizzleColumn = AnyColumn | DrizzleColumnDeclaration;

/**
 * A column with properties that Drizzle does not provide. Needed for a custom type, for an outer
 * join, or to allow fewer operators.
 */
export interface DrizzleColumnDeclaration extends Partial<Omit<QueryColumn, 'name' | 'relation'>> {
  readonly column: AnyColumn;
  /**
   * The relation that contains the column. The default applies only to fields of `columns`.
   * @default the part of the field's name before the last dot
   */
  readonly relation?: string | undefined;
}

export interface SourcedColumn extends QueryColumn {
  readonly source: Column;
}

/** The column must come from `drizzleSpecOf`. */
export function sourceOf(column: QueryColumn): Column {
  return (column as SourcedColumn).source;
}

/**
 * @param path the path of the column in the config, for messages
 * @param relationOf returns the relation that the column's option `relation` contains
 * @throws InvalidQueryConfigError
 */
export function columnOf(
  path: string,
  given: DrizzleColumn,
  relationOf: (declared: string | undefined) => QueryRelation | undefined,
): SourcedColumn {
  if (!is(given, Column)) checkColumnNames(path, given);
  const declaration: Partial<DrizzleColumnDeclaration> = is(given, Column)
    ? { column: given }
    : { ...given };
  const { column: source, relation: named, ...declared } = declaration;
  if (!is(source, Column)) {
    throw new InvalidQueryConfigError(
      `\`${path}\` of a Drizzle query config is not a column.`,
      `Set it to a column of a table, such as tasks.title.`,
    );
  }
  const relation = relationOf(named);
  const name = nameOf(source);
  return checkedNesting({
    nullable: !source.notNull,
    ...typeOf(name, source, declared),
    ...declared,
    ...(relation && { relation }),
    name,
    source,
  });
}

/** The name includes the table, because two joined tables may have columns with the same name. */
export function nameOf({ table, name }: Column): string {
  return `${getTableName(table)}.${name}`;
}

function typeOf(
  name: string,
  source: Column,
  { type, json, array }: Partial<Omit<QueryColumn, 'name' | 'relation'>>,
): TypeOfColumn {
  if (type !== undefined && (json !== undefined || array === true)) {
    const fitting = json === undefined ? ['array'] : ['json', 'string', 'custom'];
    if (fitting.includes(dataTypeOf(source))) return { type };
    throw new InvalidQueryConfigError(
      `Column "${name}" is declared with \`${json === undefined ? 'array' : 'json'}\`, ` +
        `but its data type in Drizzle is ${dataTypeOf(source)}.`,
      json === undefined
        ? 'Use a PostgreSQL array, or a JSON column with { array: true, json: [] }.'
        : 'Use a JSON column.',
    );
  }
  const derived = derivedTypeOf(source);
  if (type === undefined) {
    if (derived !== undefined) return derived;
    throw new InvalidQueryConfigError(
      `Column "${name}" has the type ${source.columnType}, which cannot be filtered or sorted.`,
      adviceOn(source),
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
    `Column "${name}" is declared as ${type}, ` +
      `but its data type in Drizzle is ${dataTypeOf(source)}.`,
    `Declare a matching type, or define the column with customType().`,
  );
}

/** Returns the fix for a column whose type the adapter does not derive. */
function adviceOn(source: Column): string {
  const declarations: Readonly<Record<string, string>> = {
    array: "its elements: { column, type: 'string', array: true }",
    json: "a value in the JSON: { column, type: 'string', json: ['key'] }",
  };
  const declaration =
    declarations[dataTypeOf(source)] ??
    (holdsValuesOf(source, 'string') ? "its type: { column, type: 'string' }" : undefined);
  const remove = 'Remove it from the query config';
  return declaration === undefined ? `${remove}.` : `${remove}, or declare ${declaration}.`;
}
