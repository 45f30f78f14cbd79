import type { ColumnType } from '../config/column-types.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryColumn } from '../resolve/column.js';
import { jsonFormOf, LARGEST } from '../resolve/json-column.js';
import type { QueryRelation } from '../resolve/relation.js';
import type { HasFilter } from '../resolve/resolved-query.js';
import { joined, operandSql, type Sql, type SqlEngine, type SqlWriter } from './sql-writer.js';

/** The functions that write the SQL of a column. */
export type ColumnWriter<Part extends object> = Pick<
  SqlWriter<Part>,
  'column' | 'value' | 'engine'
>;

/**
 * The value of a column. A value inside a JSON column is NULL if it has another JSON type than declared, so that a cast
 * never fails and each engine finds the same rows.
 * @param of the relation of the row that has the column
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

/** A value in JSON, and the name of its JSON type. */
interface JsonSql<Part extends object> {
  readonly type: Sql<Part>;
  readonly value: Sql<Part>;
}

/**
 * Keys are parameters, because adapters would read a `?` or `:name` in the SQL string as a
 * placeholder.
 */
function valueInside<Part extends object>(
  own: Part,
  keys: readonly string[],
  { value: write, engine }: ColumnWriter<Part>,
): JsonSql<Part> {
  if (engine === 'postgresql') {
    const inner = keys.flatMap((key) => [' -> cast(', write(key), ' as text)']);
    const value = ['(cast(', own, ' as jsonb)', ...inner, ')'];
    return { value, type: ['jsonb_typeof(', ...value, ')'] };
  }
  const path = () => write(['$', ...keys.map((key) => `"${key}"`)].join('.'));
  const value = ['json_extract(', own, ', ', path(), ')'];
  return {
    value,
    type:
      engine === 'mysql' ? ['json_type(', ...value, ')'] : ['json_type(', own, ', ', path(), ')'],
  };
}

function arraySql<Part extends object>(
  { type, value }: JsonSql<Part>,
  engine: SqlEngine,
): Sql<Part> {
  const name = engine === 'mysql' ? 'ARRAY' : 'array';
  return ['(case when ', ...type, ` = '${name}' then `, ...value, ' end)'];
}

function scalarSql<Part extends object>(
  found: JsonSql<Part>,
  type: ColumnType,
  engine: SqlEngine,
): Sql<Part> {
  if (type === 'boolean') return booleanSql(found, engine);
  if (type === 'number' || type === 'integer') return numberSql(found, type, engine);
  return textSql(found, type, engine);
}

function booleanSql<Part extends object>(
  { type, value }: JsonSql<Part>,
  engine: SqlEngine,
): Sql<Part> {
  switch (engine) {
    case 'postgresql':
      return ['(case when ', ...type, ` = 'boolean' then cast(`, ...value, ' as boolean) end)'];
    case 'mysql':
      return [
        '(case when ',
        ...type,
        ` = 'BOOLEAN' then json_unquote(`,
        ...value,
        `) = 'true' end)`,
      ];
    case 'sqlite':
      return ['(case ', ...type, ` when 'true' then 1 when 'false' then 0 end)`];
  }
}

/**
 * The conditions of PostgreSQL are nested, because AND may be evaluated in any order, and a cast of
 * a string may fail.
 */
function numberSql<Part extends object>(
  { type, value }: JsonSql<Part>,
  declared: 'number' | 'integer',
  engine: SqlEngine,
): Sql<Part> {
  const { isNumber, as, whole } = NUMBERS[engine];
  const number = ['cast(', ...castable(value, engine), ` as ${as})`];
  const isIn = ['abs(', ...number, `) <= ${LARGEST[declared]}`];
  const result =
    declared === 'integer'
      ? ['case when ', ...isIn, ' and ', ...number, ' = ', ...whole(number), ' then ']
      : ['case when ', ...isIn, ' then '];
  return [
    ...['(case when ', ...type, ` in (${isNumber}) then `, ...result],
    ...(declared === 'integer'
      ? ['cast(', ...number, ` as ${INTEGERS[engine]})`]
      : floatSql(number, engine)),
    ' end end)',
  ];
}

const NUMBERS = {
  postgresql: {
    isNumber: `'number'`,
    as: 'numeric',
    whole: <P extends object>(number: Sql<P>): Sql<P> => ['trunc(', ...number, ')'],
  },
  mysql: {
    isNumber: `'INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL'`,
    as: 'double',
    whole: <P extends object>(number: Sql<P>): Sql<P> => ['truncate(', ...number, ', 0)'],
  },
  sqlite: {
    isNumber: `'integer', 'real'`,
    as: 'real',
    whole: <P extends object>(number: Sql<P>): Sql<P> => ['cast(', ...number, ' as integer)'],
  },
} as const;

const INTEGERS = { postgresql: 'bigint', mysql: 'signed', sqlite: 'integer' } as const;

function castable<Part extends object>(value: Sql<Part>, engine: SqlEngine): Sql<Part> {
  return engine === 'mysql' ? ['json_unquote(', ...value, ')'] : value;
}

/** Reads the number as JavaScript does. PostgreSQL rejects numbers below 1e-323, which are read as 0. */
function floatSql<Part extends object>(number: Sql<Part>, engine: SqlEngine): Sql<Part> {
  if (engine !== 'postgresql') return number;
  return ['cast(round(', ...number, ', 323) as double precision)'];
}

/** Compared by code point, as the memory adapter does. */
function textSql<Part extends object>(
  { type, value }: JsonSql<Part>,
  declared: ColumnType,
  engine: SqlEngine,
): Sql<Part> {
  const { isText, before, after, collation } = TEXTS[engine];
  const text = [before, ...value, after];
  const form = jsonFormOf(declared);
  const fits = form === undefined ? [] : [' and ', ...MATCHES[engine](text, form)];
  const isId = declared === 'uuid' || declared === 'objectId';
  const result = isId ? ['lower(', ...text, ')'] : text;
  return [
    '((case when ',
    ...type,
    ` = ${isText}`,
    ...fits,
    ' then ',
    ...result,
    ` end)${collation})`,
  ];
}

const TEXTS = {
  postgresql: { isText: `'string'`, before: '(', after: ` #>> '{}')`, collation: ' collate "C"' },
  mysql: {
    isText: `'STRING'`,
    before: 'convert(json_unquote(',
    after: ') using utf8mb4)',
    // In each of them a trailing space counts. A comment that starts with `M!` is read by MariaDB only, and one with
    // this number by MySQL from 8.0.17 only.
    collation: ' /*M! collate utf8mb4_nopad_bin */ /*!80017 collate utf8mb4_0900_bin */',
  },
  sqlite: { isText: `'text'`, before: '', after: '', collation: '' },
} as const;

interface Form {
  readonly pattern: string;
  readonly length: number;
}

const MATCHES = {
  postgresql: <P extends object>(text: Sql<P>, { pattern }: Form): Sql<P> => [
    ...text,
    ` ~ '^${pattern}$'`,
  ],
  // `$` in MySQL also matches before a line break at the end.
  mysql: <P extends object>(text: Sql<P>, { pattern, length }: Form): Sql<P> => [
    ...['char_length(', ...text, `) = ${length} and `],
    ...[...text, ` regexp '^${pattern}$'`],
  ],
  sqlite: <P extends object>(text: Sql<P>, { pattern }: Form): Sql<P> => [
    ...text,
    ` glob '${pattern}'`,
  ],
} as const;

/**
 * The condition that an array contains one of the values, or with `negated` that it contains none. A row without an array
 * meets neither.
 * @throws InvalidQueryConfigError for an array of PostgreSQL on another engine
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

/** Uses `&&`, which can use an index and ignores NULL among the elements. */
function overlapSql<Part extends object>(
  array: Sql<Part>,
  { name }: QueryColumn,
  values: HasFilter['values'],
  { engine, value }: SqlWriter<Part>,
): Sql<Part> {
  if (engine !== 'postgresql') {
    throw new InvalidQueryConfigError(
      `Column "${name}" is declared as an array, a type that the ${engine} engine does not have.`,
      `Store the array as JSON, and declare { array: true, json: [] }.`,
    );
  }
  const quoted = values.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`);
  // A string, which PostgreSQL converts to an array of the column's type.
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

/** The elements of a JSON array as rows. */
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
