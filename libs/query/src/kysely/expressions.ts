import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Condition } from '../cursor/keyset.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import type { ResolvedSearch, ResolvedSort, TextFilter } from '../resolve/resolved-query.js';

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
      return eb(refOf(column), COMPARISONS[operator], encode(value, column));
    }
    case 'between': {
      const { column, from, to } = condition;
      return eb.between(refOf(column), encode(from, column), encode(to, column));
    }
    case 'in': {
      const { column, operator, values } = condition;
      const encoded = values.map((value) => encode(value, column));
      return eb(refOf(column), operator === 'in' ? 'in' : 'not in', encoded);
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
  const key = refOf(column);
  if (column.nullable === false) return [[key, direction]];
  return [
    [sql`${key} is null`, 'asc'],
    [key, direction],
  ];
}

const COMPARISONS = { eq: '=', neq: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** As `sql.ref`, because Kysely reads `a desc` and `a as b` out of plain strings. */
function refOf({ name }: QueryColumn): Expression<unknown> {
  return sql.ref(name);
}

function textOf(
  column: QueryColumn,
  operator: TextFilter['operator'],
  text: string,
): Expression<SqlBool> {
  const pattern = likePattern(operator, text);
  return sql<SqlBool>`lower(${refOf(column)}) like lower(${pattern}) escape ${sql.lit(LIKE_ESCAPE)}`;
}
