import type { Knex } from 'knex';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import type { Condition, ResolvedSort, TextFilter } from '../resolve/resolved-query.js';

/** SQL with bindings for its names (`??`) and values (`?`). */
export interface Fragment {
  readonly sql: string;
  readonly bindings: readonly Knex.Value[];
}

/** Converts a value of a column for the driver. */
export type Encode = (value: ColumnValue, column: QueryColumn) => Knex.Value;

/** The SQL of a condition. */
export function conditionOf(condition: Condition, encode: Encode): Fragment {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => conditionOf(part, encode));
      return joined(parts, ` ${condition.kind} `);
    }
    case 'compare': {
      const { column, operator, value } = condition;
      const operand = operandOf(value, column, encode);
      return withOperands(`?? ${COMPARISONS[operator]} ${operand.sql}`, column, [operand]);
    }
    case 'between': {
      const { column, from, to } = condition;
      const [low, high] = [operandOf(from, column, encode), operandOf(to, column, encode)];
      return withOperands(`?? between ${low.sql} and ${high.sql}`, column, [low, high]);
    }
    case 'in': {
      const { column, operator, values } = condition;
      const operands = values.map((value) => operandOf(value, column, encode));
      const list = operands.map(({ sql }) => sql).join(', ');
      return withOperands(`?? ${operator === 'in' ? 'in' : 'not in'} (${list})`, column, operands);
    }
    case 'text':
      return textOf(condition);
    case 'null':
      return fragment(condition.isNull ? '?? is null' : '?? is not null', condition.column.name);
    case 'nothing':
      return fragment('1 = 0');
  }
}

/** The `order by` of a sort key, NULLs last. Knex's own `nulls` option omits the column on SQLite and MySQL. */
export function orderOf({ column, direction }: ResolvedSort): Fragment[] {
  const { name, nullable, type } = column;
  // MySQL orders an enum by its definition but compares it as text; coalesce() orders it as text.
  const order =
    type === 'enum'
      ? fragment(`coalesce(??, ??) ${direction}`, name, name)
      : fragment(`?? ${direction}`, name);
  return nullable === false ? [order] : [fragment('?? is null', name), order];
}

const COMPARISONS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The parameter for a value. Decimals are cast, because MySQL compares a decimal with text as floating point. */
function operandOf(value: ColumnValue, column: QueryColumn, encode: Encode): Fragment {
  const type = column.type === 'decimal' ? decimalTypeOf(String(value)) : undefined;
  return fragment(type === undefined ? '?' : `cast(? as ${type})`, encode(value, column));
}

function withOperands(sql: string, { name }: QueryColumn, operands: readonly Fragment[]): Fragment {
  return fragment(sql, name, ...operands.flatMap(({ bindings }) => bindings));
}

function textOf({ column: { name }, operator, text, negated }: TextFilter): Fragment {
  return fragment(
    `lower(??) ${negated ? 'not like' : 'like'} lower(?) escape '${LIKE_ESCAPE}'`,
    name,
    likePattern(operator, text),
  );
}

function joined(parts: readonly Fragment[], by: string): Fragment {
  return {
    sql: `(${parts.map(({ sql }) => sql).join(by)})`,
    bindings: parts.flatMap(({ bindings }) => bindings),
  };
}

function fragment(sql: string, ...bindings: Knex.Value[]): Fragment {
  return { sql, bindings };
}
