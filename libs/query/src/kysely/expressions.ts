import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Condition } from '../cursor/keyset.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import type { ResolvedSearch, ResolvedSort, TextFilter } from '../resolve/resolved-query.js';
import { sql } from './kysely-sql.js';

/** One key of an order by. */
export type Ordering = readonly [key: Expression<unknown>, direction: 'asc' | 'desc'];

/** What the driver takes for a value of a column. */
export type Encode = (value: ColumnValue, column: QueryColumn) => unknown;

export function conditionOf<DB, TB extends keyof DB>(
  eb: ExpressionBuilder<DB, TB>,
  condition: Condition,
  encode: Encode,
): Expression<SqlBool> {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return eb[condition.kind](condition.conditions.map((part) => conditionOf(eb, part, encode)));
    case 'compare': {
      const { column, operator, value } = condition;
      return eb(refOf(column), COMPARISONS[operator], operandOf(value, column, encode));
    }
    case 'between': {
      const { column, from, to } = condition;
      const lowest = operandOf(from, column, encode);
      return eb.between(refOf(column), lowest, operandOf(to, column, encode));
    }
    case 'in': {
      const { column, operator, values } = condition;
      const operands = values.map((value) => operandOf(value, column, encode));
      return eb(refOf(column), operator === 'in' ? 'in' : 'not in', operands);
    }
    case 'text':
      return textOf(condition.column, condition.operator, condition.text);
    case 'null':
      return eb(refOf(condition.column), condition.isNull ? 'is' : 'is not', null);
    case 'nothing':
      return sql<SqlBool>`1 = 0`;
  }
}

/** Rows of which a column contains the text. */
export function searchOf<DB, TB extends keyof DB>(
  eb: ExpressionBuilder<DB, TB>,
  { columns, text }: ResolvedSearch,
): Expression<SqlBool> {
  return eb.or(columns.map((column) => textOf(column, 'contains', text)));
}

/** NULLs last in either direction: `nulls last` is no word of MySQL, but every engine sorts by `is null`. */
export function orderOf({ column, direction }: ResolvedSort): Ordering[] {
  const ref = refOf(column);
  // MySQL orders an enumeration by its definition and compares it with a value as text; coalesce() makes it text
  // there, and changes nothing elsewhere.
  const key = column.type === 'enum' ? sql`coalesce(${ref}, ${ref})` : ref;
  if (column.nullable === false) return [[key, direction]];
  return [
    [sql`${ref} is null`, 'asc'],
    [key, direction],
  ];
}

const COMPARISONS = { eq: '=', neq: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** As `sql.ref`, because Kysely reads `a desc` and `a as b` out of plain strings. */
function refOf({ name }: QueryColumn): Expression<unknown> {
  return sql.ref(name);
}

/** The parameter for a value; a decimal with its type, because MySQL compares decimals with text as floats. */
function operandOf(value: ColumnValue, column: QueryColumn, encode: Encode): unknown {
  const type = column.type === 'decimal' ? decimalTypeOf(String(value)) : undefined;
  const encoded = encode(value, column);
  return type === undefined ? encoded : sql`cast(${encoded} as ${sql.raw(type)})`;
}

function textOf(
  column: QueryColumn,
  operator: TextFilter['operator'],
  text: string,
): Expression<SqlBool> {
  const pattern = likePattern(operator, text);
  return sql<SqlBool>`lower(${refOf(column)}) like lower(${pattern}) escape ${sql.lit(LIKE_ESCAPE)}`;
}
