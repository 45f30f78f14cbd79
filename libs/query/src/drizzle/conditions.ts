import {
  and,
  asc,
  between,
  type Column,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from './drizzle-orm.js';
import type { Condition } from '../cursor/keyset.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import type {
  ResolvedFilter,
  ResolvedQuery,
  ResolvedSearch,
  ResolvedSort,
  TextFilter,
} from '../resolve/resolved-query.js';
import { kindOf } from './derived-type.js';
import { sourceOf } from './drizzle-config.js';
import { operandOf } from './operand.js';

/** All filters and the search together; undefined where there are none. */
export function whereOf({ filters, search }: ResolvedQuery): SQL | undefined {
  return and(...filters.map(conditionOf), search && searchOf(search));
}

export function conditionOf(condition: Condition): SQL {
  if ('conditions' in condition) {
    const parts = condition.conditions.map(conditionOf);
    return sql`(${sql.join(parts, sql.raw(` ${condition.kind} `))})`;
  }
  return filterOf(condition);
}

function filterOf(filter: ResolvedFilter): SQL {
  const column = sourceOf(filter.column);
  switch (filter.kind) {
    case 'compare':
      return COMPARISONS[filter.operator](column, operandOf(filter.column, filter.value));
    case 'between':
      return between(
        column,
        operandOf(filter.column, filter.from),
        operandOf(filter.column, filter.to),
      );
    case 'in': {
      const operands = filter.values.map((value) => operandOf(filter.column, value));
      return filter.operator === 'in' ? inArray(column, operands) : notInArray(column, operands);
    }
    case 'text':
      return textOf(column, filter.operator, filter.text);
    case 'null':
      return filter.isNull ? isNull(column) : isNotNull(column);
    case 'nothing':
      return sql`1 = 0`;
  }
}

/** NULLs last in either direction, by the shortest way of the engine: an index serves those. */
export function orderOf({ column: { nullable }, column, direction }: ResolvedSort): SQL[] {
  const source = sourceOf(column);
  const key = sortKeyOf(source);
  const order = direction === 'asc' ? asc(key) : desc(key);
  if (nullable === false) return [order];
  switch (kindOf(source)[0]) {
    case 'Pg':
      return [direction === 'asc' ? order : sql`${order} nulls last`];
    case 'SQLite':
      return [direction === 'asc' ? sql`${order} nulls last` : order];
    case 'MySql':
      return direction === 'asc' ? [sql`${source} is null`, order] : [order];
    case undefined:
      return [sql`${source} is null`, order];
  }
}

/** MySQL orders an enumeration by its definition, but compares it with a value as text: here it is text twice. */
function sortKeyOf(source: Column): Column | SQL {
  return source.columnType.startsWith('MySqlEnum') ? sql`coalesce(${source}, ${source})` : source;
}

const COMPARISONS = { eq, neq: ne, gt, gte, lt, lte };

function searchOf({ columns, text }: ResolvedSearch): SQL | undefined {
  return or(...columns.map((column) => textOf(sourceOf(column), 'contains', text)));
}

function textOf(column: Column, operator: TextFilter['operator'], text: string): SQL {
  const pattern = likePattern(operator, text);
  return sql`lower(${column}) like lower(${pattern}) escape ${sql.raw(`'${LIKE_ESCAPE}'`)}`;
}
