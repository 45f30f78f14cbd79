import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryColumn } from '../resolve/column.js';
import type { QueryRelation } from '../resolve/relation.js';
import type { HasFilter } from '../resolve/resolved-query.js';
import { arraySql, scalarSql, valueInside } from './json-sql.js';
import { type ColumnWriter, joined, operandSql, type Sql, type SqlWriter } from './sql-writer.js';

/**
 * SQL for a column. JSON values of another type are NULL: casts never fail, and engines agree.
 * @param of the relation to the row that contains the column
 */
export function columnSql<Part extends object>(
  column: QueryColumn,
  writer: ColumnWriter<Part>,
  of?: QueryRelation,
): Sql<Part> {
  const own = writer.column(column, of);
  const { json, array, type } = column;
  if (json === undefined) return [own];
  const found = valueInside(own, json, writer);
  return array === true ? arraySql(found, writer.engine) : scalarSql(found, type, writer.engine);
}

/**
 * A row without an array never matches, even if `negated`.
 * @throws InvalidQueryConfigError if a PostgreSQL array is used on another engine
 */
export function hasSql<Part extends object>(
  { column, values, negated }: HasFilter,
  writer: SqlWriter<Part>,
  of?: QueryRelation,
): Sql<Part> {
  const array = columnSql(column, writer, of);
  const found =
    column.json === undefined
      ? overlapSql(array, column, values, writer)
      : itemSql(array, column, values, writer);
  return negated === true ? ['(', ...array, ' is not null and not ', ...found, ')'] : found;
}

/** Uses `&&`, because `&&` can use an index and ignores NULL elements. */
function overlapSql<Part extends object>(
  array: Sql<Part>,
  { name }: QueryColumn,
  values: HasFilter['values'],
  { engine, value }: SqlWriter<Part>,
): Sql<Part> {
  if (engine !== 'postgresql') {
    throw new InvalidQueryConfigError(
      `Column "${name}" is declared as an array, but the engine ${engine} has no array type.`,
      `Store the array as JSON, and declare { array: true, json: [] }.`,
    );
  }
  const quoted = values.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`);
  // Writes the array as a string. PostgreSQL converts the string to the column's type.
  return [...array, ' && ', value(`{${quoted.join()}}`)];
}

function itemSql<Part extends object>(
  array: Sql<Part>,
  column: QueryColumn,
  values: HasFilter['values'],
  writer: SqlWriter<Part>,
): Sql<Part> {
  const { before, after, item } = ITEMS[writer.engine];
  const operands = values.map((value) => operandSql(value, column, writer));
  return [
    ...['exists (select 1 from ', before, ...array, after, ' where '],
    ...scalarSql<Part>(item, column.type, writer.engine),
    ...[' in (', ...joined(operands, ', '), '))'],
  ];
}

/** Returns the elements of a JSON array as rows. */
const ITEMS = {
  postgresql: {
    before: 'jsonb_array_elements(',
    after: ') as fledge_item(v)',
    item: { value: ['fledge_item.v'], type: ['jsonb_typeof(fledge_item.v)'] },
  },
  mysql: {
    before: 'json_table(',
    after: `, '$[*]' columns (v json path '$')) as fledge_item`,
    item: { value: ['fledge_item.v'], type: ['json_type(fledge_item.v)'] },
  },
  sqlite: {
    before: 'json_each(',
    after: ') as fledge_item',
    item: { value: ['fledge_item.value'], type: ['fledge_item.type'] },
  },
} as const;
