// A static import, because Kysely 0.29 is an ES module. Before Node.js 24.9, Jest cannot
// `require()` an ES module.
import * as kysely from 'kysely';
import type { Expression, ExpressionBuilder, RawBuilder, SelectQueryBuilder } from 'kysely';
import { checkPeer } from '../resolve/supported-peers.js';
import type { Sql, SqlEngine, SqlWriter } from '../shared-sql/sql-writer.js';
import { type OrderEngine, traitsOf } from '../shared-sql/order-sql.js';
import { columnRef, type SortJoin } from '../shared-sql/sort-joins.js';
import { type JoinScope, refOfJoined } from '../shared-sql/sql-join.js';

checkPeer('kysely', '@fledge/query/kysely');
export const { sql } = kysely;

/** Allows any table name, because table names in a config are plain strings. */
type Tables = Record<string, Record<string, unknown>>;

/**
 * Returns the engine of a query. Query builders have no property for it, so the compiled SQL is
 * examined. MySQL quotes names with backticks, and PostgreSQL numbers its parameters.
 * @returns `mysql` if a plugin rejects the query. Every engine supports our SQL for MySQL
 */
export function engineOf<DB, TB extends keyof DB, O>(qb: SelectQueryBuilder<DB, TB, O>): SqlEngine {
  try {
    const { sql: text } = qb.clearSelect().clearWhere().clearOrderBy().limit(1).compile();
    if (text.includes('`')) return 'mysql';
    return /\$\d/.test(text) ? 'postgresql' : 'sqlite';
  } catch {
    return 'mysql';
  }
}

/** Names and queries are nodes, so `withSchema()` and plugins still change them. */
export function kyselyRaw<T = unknown>(parts: Sql<Expression<unknown>>): RawBuilder<T> {
  const texts = [''];
  const nodes: Expression<unknown>[] = [];
  for (const part of parts) {
    if (typeof part === 'string') texts[nodes.length] += part;
    else texts[nodes.push(part)] = '';
  }
  return sql<T>(texts as unknown as TemplateStringsArray, ...nodes);
}

export function kyselyWriter<DB, TB extends keyof DB, O>(
  qb: SelectQueryBuilder<DB, TB, O>,
  { encode, stepsOf }: JoinScope<unknown>,
): SqlWriter<Expression<unknown>> & OrderEngine {
  return {
    ...traitsOf(engineOf(qb)),
    comparesAsFloat: true,
    // Not a plain string, because Kysely would parse `a desc` and `a as b`.
    column: (column, of) => sql.ref(columnRef(column, stepsOf, of)),
    value: (value, column) => sql`${column ? encode(value, column) : value}`,
    related(relation, condition) {
      const steps = stepsOf(relation);
      const eb = kysely.expressionBuilder<Tables, string>();
      const pairs = steps.flatMap(({ alias, on }) =>
        on.map(([own, equals]) => equal(eb, `${alias}.${own}`, refOfJoined(equals))),
      );
      const rows = eb
        .selectFrom(steps.map(({ table, alias }) => `${table} as ${alias}`))
        .select(sql`1`.as('one'))
        .where(eb.and([...pairs, kyselyRaw<boolean>(condition)]));
      return [rows];
    },
  };
}

export function withSortJoin<DB, TB extends keyof DB, O>(
  qb: SelectQueryBuilder<DB, TB, O>,
  { table, alias, columns, on }: SortJoin,
): SelectQueryBuilder<DB, TB, O> {
  const joined = (qb as unknown as SelectQueryBuilder<Tables, string, object>).leftJoin(
    // Not `sql.ref()`, because plugins that check raw SQL could read the name as a table.
    (eb) =>
      eb
        .selectFrom(table)
        .select((inner) => columns.map(({ column, as }) => inner.ref(column).as(as)))
        .as(alias),
    (join) => join.on((eb) => eb.and(on.map(([own, equals]) => equal(eb, own, equals)))),
  );
  // The type of the query stays the same, because the joined columns are only used for the order.
  return joined as unknown as typeof qb;
}

function equal(eb: ExpressionBuilder<Tables, string>, own: string, equals: string) {
  return eb(sql.ref(own), '=', sql.ref(equals));
}
