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
  type SQL,
  sql,
} from './drizzle-orm.js';
import { queryConditions } from '../resolve/query-conditions.js';
import { LIKE_ESCAPE, likePattern, PG_COLLATION } from '../sql/like-pattern.js';
import { hasNativeNulls } from '../resolve/native-nulls.js';
import { pathOfRelation } from '../resolve/relation.js';
import type {
  Condition,
  ExistsCondition,
  ResolvedFilter,
  ResolvedQuery,
  ResolvedSort,
  TextFilter,
} from '../resolve/resolved-query.js';
import { kindOf } from './derived-type.js';
import { sourceOf } from './drizzle-column.js';
import { operandOf } from './operand.js';
import { aliased, hidden, type RelatedTables } from './related-tables.js';

/**
 * The conditions of a query; undefined if there are none.
 * @param own of the `search` of the config
 * @param after the rows to start at, for a page by cursor
 */
export function whereOf(
  query: ResolvedQuery,
  related: Related,
  own: SQL | undefined,
  after?: Condition,
): SQL | undefined {
  const conditions = queryConditions(query, after).map((part) => conditionOf(part, related));
  // In parentheses, because it may be `a or b`.
  return and(...conditions, own && sql`(${own})`);
}

/** The tables of relations, by path. */
type Related = ReadonlyMap<string, RelatedTables>;

/** @param alias of the related row of the condition; undefined for the row itself */
function conditionOf(condition: Condition, related: Related, alias?: string): SQL {
  if ('conditions' in condition) {
    const parts = condition.conditions.map((part) => conditionOf(part, related, alias));
    return sql`(${sql.join(parts, sql.raw(` ${condition.kind} `))})`;
  }
  if (condition.kind === 'exists') return existsOf(condition, related);
  return filterOf(condition, alias);
}

function existsOf({ relation, negated, condition }: ExistsCondition, related: Related): SQL {
  const { from, on, alias } = related.get(pathOfRelation(relation)) as RelatedTables;
  const inner = hidden(conditionOf(condition, related, alias));
  const exists = sql.raw(negated ? 'not exists' : 'exists');
  return sql`${exists} (select 1 from ${from} where ${sql.join([...on, inner], sql.raw(' and '))})`;
}

function filterOf(filter: ResolvedFilter, alias: string | undefined): SQL {
  const source = sourceOf(filter.column);
  const column = alias === undefined ? source : aliased(source, alias);
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
      return textOf(column, filter);
    case 'null':
      return filter.isNull ? isNull(column) : isNotNull(column);
    case 'nothing':
      return sql`1 = 0`;
  }
}

/** The `order by` of a sort key, in the form for which the engine can use an index. */
export function orderOf(sorted: ResolvedSort): SQL[] {
  const { column, direction, nulls = 'last' } = sorted;
  const source = sourceOf(column);
  const key = sortKeyOf(source);
  const order = direction === 'asc' ? asc(key) : desc(key);
  if (column.nullable === false) return [order];
  const [dialect] = kindOf(source);
  const rank = dialect === 'Pg' ? 'largest' : 'smallest';
  if (dialect !== undefined && hasNativeNulls(sorted, rank)) return [order];
  if (dialect === 'Pg' || dialect === 'SQLite') return [sql`${order} ${sql.raw(`nulls ${nulls}`)}`];
  const isNull = sql`${source} is null`;
  return [nulls === 'first' ? desc(isNull) : isNull, order];
}

/** MySQL orders an enum by its definition but compares it as text; coalesce() orders it as text. */
function sortKeyOf(source: Column): Column | SQL {
  return source.columnType.startsWith('MySqlEnum') ? sql`coalesce(${source}, ${source})` : source;
}

const COMPARISONS = { eq, neq: ne, gt, gte, lt, lte };

function textOf(column: Column, { operator, text: part, negated }: TextFilter): SQL {
  const pattern = likePattern(operator, part);
  const like = sql.raw(negated ? 'not like' : 'like');
  const [dialect] = kindOf(column);
  const text = dialect === 'Pg' ? sql`${column} ${sql.raw(PG_COLLATION)}` : column;
  return sql`lower(${text}) ${like} lower(${pattern}) escape ${sql.raw(`'${LIKE_ESCAPE}'`)}`;
}
