// A static import: Kysely 0.29 is an ES module, which Jest cannot require before Node.js 24.9.
import * as kysely from 'kysely';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import type { Condition, ResolvedSort, TextFilter } from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';

checkPeer('kysely', '@fledge/query/kysely');
const { sql } = kysely;

/** One key of an `order by`. */
export type Ordering = readonly [key: Expression<unknown>, direction: 'asc' | 'desc'];

/** Converts a value of a column for the driver. */
export type Encode = (value: ColumnValue, column: QueryColumn) => unknown;

/** The expression of a condition. */
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
      return textOf(condition);
    case 'null':
      return eb(refOf(condition.column), condition.isNull ? 'is' : 'is not', null);
    case 'nothing':
      return sql<SqlBool>`1 = 0`;
  }
}

/** The `order by` of a sort key, NULLs last. MySQL lacks `nulls last`; every engine can sort by `is null`. */
export function orderOf({ column, direction }: ResolvedSort): Ordering[] {
  const ref = refOf(column);
  // MySQL orders an enum by its definition but compares it as text; coalesce() orders it as text.
  const key = column.type === 'enum' ? sql`coalesce(${ref}, ${ref})` : ref;
  if (column.nullable === false) return [[key, direction]];
  return [
    [sql`${ref} is null`, 'asc'],
    [key, direction],
  ];
}

const COMPARISONS = { eq: '=', neq: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** `sql.ref`, because Kysely parses plain strings such as `a desc` and `a as b`. */
function refOf({ name }: QueryColumn): Expression<unknown> {
  return sql.ref(name);
}

/** The parameter for a value. Decimals are cast, because MySQL compares a decimal with text as floating point. */
function operandOf(value: ColumnValue, column: QueryColumn, encode: Encode): unknown {
  const type = column.type === 'decimal' ? decimalTypeOf(String(value)) : undefined;
  const encoded = encode(value, column);
  return type === undefined ? encoded : sql`cast(${encoded} as ${sql.raw(type)})`;
}

function textOf({ column, operator, text, negated }: TextFilter): Expression<SqlBool> {
  const pattern = likePattern(operator, text);
  const like = sql.raw(negated ? 'not like' : 'like');
  return sql<SqlBool>`lower(${refOf(column)}) ${like} lower(${pattern}) escape ${sql.lit(LIKE_ESCAPE)}`;
}
