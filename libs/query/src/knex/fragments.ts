import type { Knex } from 'knex';
import type { Condition } from '../cursor/keyset.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import type { ResolvedSearch, ResolvedSort, TextFilter } from '../resolve/resolved-query.js';

/** SQL whose names (`??`) and values (`?`) are all bindings. */
export interface Fragment {
  readonly sql: string;
  readonly bindings: readonly Knex.Value[];
}

/** What the driver takes for a value of a column. */
export type Encode = (value: ColumnValue, column: QueryColumn) => Knex.Value;

export function conditionOf(condition: Condition, encode: Encode): Fragment {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => conditionOf(part, encode));
      return joined(parts, ` ${condition.kind} `);
    }
    case 'compare': {
      const { column, operator, value } = condition;
      return fragment(`?? ${COMPARISONS[operator]} ?`, column.name, encode(value, column));
    }
    case 'between': {
      const { column, from, to } = condition;
      return fragment('?? between ? and ?', column.name, encode(from, column), encode(to, column));
    }
    case 'in': {
      const { column, operator, values } = condition;
      const places = values.map(() => '?').join(', ');
      const encoded = values.map((value) => encode(value, column));
      return fragment(
        `?? ${operator === 'in' ? 'in' : 'not in'} (${places})`,
        column.name,
        ...encoded,
      );
    }
    case 'text':
      return textOf(condition.column, condition.operator, condition.text);
    case 'null':
      return fragment(condition.isNull ? '?? is null' : '?? is not null', condition.column.name);
    case 'nothing':
      return fragment('1 = 0');
  }
}

/** Rows of which a column contains the text. */
export function searchOf({ columns, text }: ResolvedSearch): Fragment {
  return joined(
    columns.map((column) => textOf(column, 'contains', text)),
    ' or ',
  );
}

/** NULLs last in either direction. Knex's own `nulls` loses the column on SQLite and MySQL. */
export function orderOf({ column: { name, nullable }, direction }: ResolvedSort): Fragment[] {
  const order = fragment(direction === 'asc' ? '?? asc' : '?? desc', name);
  return nullable === false ? [order] : [fragment('?? is null', name), order];
}

const COMPARISONS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function textOf({ name }: QueryColumn, operator: TextFilter['operator'], text: string): Fragment {
  return fragment(
    `lower(??) like lower(?) escape '${LIKE_ESCAPE}'`,
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
