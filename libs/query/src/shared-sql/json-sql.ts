// SQL for values inside JSON columns.
import { type ColumnType, isHexadecimal } from '../config/column-types.js';
import { type JsonForm, jsonFormOf, LARGEST } from '../resolve/json-column.js';
import type { ColumnWriter, Sql, SqlEngine } from './sql-writer.js';

/** A value in JSON, and the name of its JSON type. */
export interface JsonSql<Part extends object> {
  readonly type: Sql<Part>;
  readonly value: Sql<Part>;
}

/**
 * Keys are sent as parameters. If a key were part of the SQL text, adapters would read `?` or
 * `:name` in the key as a placeholder.
 */
export function valueInside<Part extends object>(
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
  if (engine === 'mysql') {
    const value = ['json_extract(', own, ', ', path(), ')'];
    return { value, type: ['json_type(', ...value, ')'] };
  }
  // SQLite fails for text that is not JSON, such as ''. A document in the format JSONB is a blob.
  const isJson = ['json_valid(', own, ') or typeof(', own, `) = 'blob'`];
  const valid = ['case when ', ...isJson, ' then ', own, ' end'];
  return {
    value: ['json_extract(', ...valid, ', ', path(), ')'],
    type: ['json_type(', ...valid, ', ', path(), ')'],
  };
}

export function arraySql<Part extends object>(
  { type, value }: JsonSql<Part>,
  engine: SqlEngine,
): Sql<Part> {
  const name = engine === 'mysql' ? 'ARRAY' : 'array';
  return ['(case when ', ...type, ` = '${name}' then `, ...value, ' end)'];
}

export function scalarSql<Part extends object>(
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

/** Nested, because PostgreSQL evaluates operands of AND in any order, and a cast may fail. */
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

/** Reads the number like JavaScript. PostgreSQL rejects numbers below 1e-323, so they become 0. */
function floatSql<Part extends object>(number: Sql<Part>, engine: SqlEngine): Sql<Part> {
  if (engine !== 'postgresql') return number;
  return ['cast(round(', ...number, ', 323) as double precision)'];
}

/** Compares by code point, like the memory adapter. */
function textSql<Part extends object>(
  { type, value }: JsonSql<Part>,
  declared: ColumnType,
  engine: SqlEngine,
): Sql<Part> {
  const { isText, before, after, collation } = TEXTS[engine];
  const text = [before, ...value, after];
  const form = jsonFormOf(declared);
  const fits = form === undefined ? [] : [' and ', ...MATCHES[engine](text, form)];
  const result = isHexadecimal(declared) ? ['lower(', ...text, ')'] : text;
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
    // In both collations, trailing spaces count. Only MariaDB executes the comment that starts with
    // `M!`. Only MySQL from 8.0.17 executes the other comment.
    collation: ' /*M! collate utf8mb4_nopad_bin */ /*!80017 collate utf8mb4_0900_bin */',
  },
  sqlite: { isText: `'text'`, before: '', after: '', collation: '' },
} as const;

const MATCHES = {
  postgresql: <P extends object>(text: Sql<P>, { pattern }: JsonForm): Sql<P> => [
    ...text,
    ` ~ '^${pattern}$'`,
  ],
  // Also checks the length, because `$` in MySQL matches before a line break at the end.
  mysql: <P extends object>(text: Sql<P>, { pattern, length }: JsonForm): Sql<P> => [
    ...['char_length(', ...text, `) = ${length} and `],
    ...[...text, ` regexp '^${pattern}$'`],
  ],
  sqlite: <P extends object>(text: Sql<P>, { pattern }: JsonForm): Sql<P> => [
    ...text,
    ` glob '${pattern}'`,
  ],
} as const;
