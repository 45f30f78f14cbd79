import { isHexadecimal } from '../config/column-types.js';
import type { QueryColumn } from '../resolve/column.js';
import type { GroupedQuery, GroupedRow, GroupKey, Measure, Span } from '../summary/read-summary.js';
import { columnSql } from './column-sql.js';
import type { Sql, SqlEngine, SqlWriter } from './sql-writer.js';
import type { OrderEngine } from './order-sql.js';

/** Writes groups. For a column of a related row, `column` returns the column of the left join. */
export type GroupWriter<Part extends object> = SqlWriter<Part> &
  Pick<OrderEngine, 'ordersByDefinition'>;

/** The name has only lower-case letters, because plugins may rename columns with other names. */
interface GroupColumn<Part extends object> {
  readonly as: string;
  readonly sql: Sql<Part>;
  /** Undefined if the driver returns the value in another format than the column. */
  readonly decodedBy?: QueryColumn;
}

export interface GroupSql<Part extends object> {
  readonly select: readonly GroupColumn<Part>[];
  /** Names of selected expressions. */
  readonly groupBy: readonly string[];
  /**
   * Names of selected expressions with their direction. If an engine has no `nulls first`, it sorts
   * NULL first by default.
   */
  readonly orderBy: readonly string[];
}

const COUNT = 'fledgerows';
const TOTAL = 'fledgetotal';

/** Returns `fledgekeya`, `fledgekeyb` and so on. */
function nameOf(kind: 'key' | 'order' | 'value', index: number): string {
  const digits = [...index.toString(26)].map((digit) => Number.parseInt(digit, 26));
  return `fledge${kind}${digits.map((digit) => String.fromCharCode(0x61 + digit)).join('')}`;
}

export function groupSql<Part extends object>(
  { keys, measures }: GroupedQuery,
  writer: GroupWriter<Part>,
): GroupSql<Part> {
  const { engine } = writer;
  const selected = keys.map((key, i) => ({ as: nameOf('key', i), sql: keySql(key, writer) }));
  const ordered = keys.flatMap((key, i) =>
    isWrittenAsText(key.column, engine)
      ? [{ as: nameOf('order', i), sql: ['min(', ...columnSql(key.column, writer), ')'] }]
      : [],
  );
  const nulls = engine === 'postgresql' ? ' nulls first' : '';
  const orderOf = (i: number) =>
    ordered.find(({ as }) => as === nameOf('order', i))?.as ?? nameOf('key', i);
  return {
    select: [
      ...selected,
      { as: COUNT, sql: ['count(*)'] },
      { as: TOTAL, sql: ['count(*) over ()'] },
      ...measures.map((measure, i) => measureSql(measure, nameOf('value', i), writer)),
      ...ordered,
    ],
    groupBy: selected.map(({ as }) => as),
    orderBy:
      keys.length === 0
        ? []
        : [`${COUNT} desc`, ...keys.map((_, i) => `${orderOf(i)} asc${nulls}`)],
  };
}

export function groupedRowOf(row: object, { keys, measures }: GroupedQuery): GroupedRow {
  const record = row as Readonly<Record<string, unknown>>;
  return {
    keys: keys.map((_, i) => record[nameOf('key', i)]),
    count: record[COUNT],
    total: record[TOTAL],
    measures: measures.map((_, i) => record[nameOf('value', i)]),
  };
}

/** Returns true for types that drivers would round as numbers. */
function isWrittenAsText({ type }: QueryColumn, engine: SqlEngine): boolean {
  return type === 'bigint' || (type === 'decimal' && engine !== 'sqlite');
}

function keySql<Part extends object>(
  { column, spans }: GroupKey,
  writer: GroupWriter<Part>,
): Sql<Part> {
  const { engine } = writer;
  const own = columnSql(column, writer);
  if (spans) {
    const span = spanSql(spans, column, own, writer);
    return ['case when ', ...own, ' is null then null else ', ...span, ' end'];
  }
  if (writer.ordersByDefinition(column)) return ['coalesce(', ...own, ', ', ...own, ')'];
  const { type, asText } = column;
  // Stored ids may be in upper or lower case. They are cast to text, because the column may have a
  // native type although it is declared without `asText`.
  const isId = isHexadecimal(type) && asText !== false;
  if (isId) return ['lower(', ...(engine === 'postgresql' ? textSql(own, engine) : own), ')'];
  const isText = isWrittenAsText(column, engine) || (type === 'enum' && engine === 'postgresql');
  return isText ? textSql(own, engine) : own;
}

/** A search tree: a thousand spans need only ten comparisons per row. */
function spanSql<Part extends object>(
  spans: readonly Span[],
  column: QueryColumn,
  own: Sql<Part>,
  writer: GroupWriter<Part>,
): Sql<Part> {
  const middle = Math.ceil(spans.length / 2);
  const [first, next] = [spans[0], spans[middle]];
  if (first === undefined || next === undefined) return [String(first?.index ?? 0)];
  return [
    ...['case when ', ...own, ' < ', writer.value(next.from, column), ' then '],
    ...spanSql(spans.slice(0, middle), column, own, writer),
    ' else ',
    ...spanSql(spans.slice(middle), column, own, writer),
    ' end',
  ];
}

function measureSql<Part extends object>(
  { operator, column }: Measure,
  as: string,
  writer: GroupWriter<Part>,
): GroupColumn<Part> {
  const { engine } = writer;
  const value = columnSql(column, writer);
  if (operator === 'values') return { as, sql: ['count(', ...value, ')'] };
  if (operator === 'sum') return { as, sql: sumSql(column, value, engine) };
  const sql = [`${operator}(`, ...value, ')'];
  if (isWrittenAsText(column, engine)) return { as, sql: textSql(sql, engine) };
  // The driver does not convert values of a JSON column.
  return column.json === undefined ? { as, sql, decodedBy: column } : { as, sql };
}

function sumSql<Part extends object>(
  { type }: QueryColumn,
  value: Sql<Part>,
  engine: SqlEngine,
): Sql<Part> {
  const isWhole = type === 'integer' || type === 'bigint';
  if (engine === 'sqlite' && isWhole) {
    // SQLite rejects sums of more than 64 bits. The sum is therefore split into two parts, of 34
    // and 30 bits.
    const part = (by: string) => textSql(['sum(', ...value, by, ')'], engine);
    return [...part(' / 1073741824'), ` || ';' || `, ...part(' % 1073741824')];
  }
  if (engine === 'sqlite') {
    const sum = ['sum(', ...value, ' * 1.0)'];
    if (type !== 'decimal') return sum;
    return [
      ...textSql(sum, engine),
      ` || ';' || `,
      ...textSql(['total(abs(', ...value, '))'], engine),
    ];
  }
  if (type !== 'number') return textSql(['sum(', ...value, ')'], engine);
  // PostgreSQL sums `real` with only six digits. It also fails if a floating-point sum is too
  // large.
  if (engine === 'postgresql') return textSql(['sum(cast(', ...value, ' as numeric))'], engine);
  return ['sum(', ...value, ')'];
}

/** Converts SQL to a string, because drivers may return numbers as floating point. */
function textSql<Part extends object>(sql: Sql<Part>, engine: SqlEngine): Sql<Part> {
  return ['cast(', ...sql, engine === 'mysql' ? ' as char)' : ' as text)'];
}
