import { queryConditions } from '../resolve/query-conditions.js';
import { pathOfRelation } from '../resolve/relation.js';
import type { Condition, ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { conditionSql } from '../shared-sql/condition-sql.js';
import { joined, type Sql, type SqlEngine, type SqlWriter } from '../shared-sql/sql-writer.js';
import { type OrderEngine, orderKeys, orderSql } from '../shared-sql/order-sql.js';
import { kindOf } from './derived-type.js';
import { sourceOf } from './drizzle-column.js';
import { and, type Column, type Param, type SQL, sql, type SQLWrapper } from './drizzle-orm.js';
import { aliased, hidden, type RelatedTables } from './related-tables.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';

type Part = Column | Param | SQL | SQLWrapper;

export interface Scope {
  readonly engine: SqlEngine | undefined;
  /** The tables of each relation. The key is the path of the relation. */
  readonly related: ReadonlyMap<string, RelatedTables>;
}

/**
 * @param own the condition of the config's `search`
 * @param after the condition of the cursor, for a page with a cursor
 */
export function renderWhere(
  query: ResolvedQuery,
  scope: Scope,
  own: SQL | undefined,
  after?: Condition,
): SQL | undefined {
  const writer = writerFor(scope);
  const conditions = queryConditions(query, after).map((part) => rawOf(conditionSql(part, writer)));
  // In parentheses, because the condition may be `a or b`.
  return and(...conditions, own && sql`(${own})`);
}

export function renderOrders(sort: readonly ResolvedSort[], scope: Scope): SQL[] {
  const writer = writerFor(scope);
  return orderKeys(sort, writer, writer).map((key) => rawOf(orderSql(key)));
}

/** SQL that may contain columns of any table. */
export function rawOf(parts: Sql<Part>): SQL {
  return sql.join(parts.map((part) => (typeof part === 'string' ? sql.raw(part) : part)));
}

export function writerFor({ engine, related }: Scope): SqlWriter<Part> & OrderEngine {
  const tablesOf = (path: string) => related.get(path) as RelatedTables;
  return {
    engine: engine ?? 'postgresql',
    hasCollations: engine === 'postgresql',
    comparesAsFloat: engine === 'mysql',
    placesNulls: engine === 'postgresql' || engine === 'sqlite',
    nullRank: engine && (engine === 'postgresql' ? 'largest' : 'smallest'),
    ordersByDefinition: (column) => sourceOf(column).columnType.startsWith('MySqlEnum'),
    column: (column, of = column.relation) =>
      of ? hidden(aliased(sourceOf(column), tablesOf(pathOfRelation(of)).alias)) : sourceOf(column),
    value: (value, column) => (column ? operandOf(column, value) : sql.param(value)),
    related(relation, condition) {
      const { from, on } = tablesOf(pathOfRelation(relation));
      const where = joined([...on.map((pair) => [pair]), condition], ' and ');
      return ['(select 1 from ', from, ' where ', ...where, ')'];
    },
  };
}

/** The column encodes the value only if Drizzle's encoding is correct for comparisons. */
function operandOf(of: QueryColumn, value: ColumnValue): Param {
  const column = sourceOf(of);
  const [engine, kind] = kindOf(column);
  if (kind === 'Date' && typeof value === 'string') return sql.param(value);
  if (engine === 'mysql' && kind === 'Decimal') return sql.param(value);
  if (value instanceof Date) {
    const text = value.toISOString();
    if (kind.endsWith('String')) {
      return sql.param(engine === 'mysql' ? text.slice(0, -1).replace('T', ' ') : text);
    }
    // The column would cut off the milliseconds. A time with a fraction would then equal the full
    // second.
    if (isInSeconds(column)) return sql.param(value.getTime() / 1000);
  }
  return sql.param(value, column);
}
function isInSeconds(column: Column): boolean {
  return column.columnType === 'SQLiteTimestamp' && 'mode' in column && column.mode === 'timestamp';
}
