import type { Knex } from 'knex';
import { type SqlWriter, joined, type Sql, type SqlEngine } from '../shared-sql/sql-writer.js';
import { type OrderEngine, traitsOf } from '../shared-sql/order-sql.js';
import { columnRef, type SortJoin } from '../shared-sql/sort-joins.js';
import { type JoinScope, refOfJoined } from '../shared-sql/sql-join.js';

/** A name (`??`) or a value (`?`) in raw SQL. */
export type KnexPart = { readonly name: string } | { readonly value: Knex.Value };

/** Returns the arguments for `whereRaw`, `joinRaw` and `orderByRaw`. */
export function knexRaw(parts: Sql<KnexPart>): readonly [sql: string, bindings: Knex.Value[]] {
  const bound = parts.filter((part) => typeof part !== 'string');
  return [
    parts.map((part) => (typeof part === 'string' ? part : 'name' in part ? '??' : '?')).join(''),
    bound.map((part) => ('name' in part ? part.name : part.value)),
  ];
}

export function knexWriter(
  qb: Knex.QueryBuilder,
  { encode, stepsOf }: JoinScope<Knex.Value>,
): SqlWriter<KnexPart> & OrderEngine {
  return {
    ...traitsOf(engineOf(qb)),
    comparesAsFloat: true,
    column: (column, of) => ({ name: columnRef(column, stepsOf, of) }),
    value: (value, column) => ({ value: column ? encode(value, column) : (value as Knex.Value) }),
    related(relation, condition) {
      const steps = stepsOf(relation);
      const tables = steps.map(({ table, alias }) => aliased(tableIn(qb, table), alias));
      const pairs = steps.flatMap(({ alias, on }) =>
        on.map(([own, equals]) => equal(`${alias}.${own}`, refOfJoined(equals))),
      );
      const where = joined([...pairs, condition], ' and ');
      return ['(select 1 from ', ...joined(tables, ', '), ' where ', ...where, ')'];
    },
  };
}

/** The parts of `Knex.Client` used here. */
interface KnexClient {
  readonly dialect: string;
  queryBuilder(): Knex.QueryBuilder;
  raw(sql: string, bindings?: readonly Knex.Value[]): Knex.Raw;
}

/** Returns the Knex client of the database or of the transaction. */
export function clientOf(qb: Knex.QueryBuilder): KnexClient {
  return (qb as unknown as { readonly client: KnexClient }).client;
}

export function engineOf(qb: Knex.QueryBuilder): SqlEngine {
  const { dialect } = clientOf(qb);
  if (dialect === 'postgresql') return dialect;
  return dialect === 'sqlite3' ? 'sqlite' : 'mysql';
}

export function sortJoinSql(
  qb: Knex.QueryBuilder,
  { table, alias, columns, on }: SortJoin,
): Sql<KnexPart> {
  const selected = columns.map(({ column, as }) => aliased(column, as));
  const pairs = on.map(([own, equals]) => equal(own, equals));
  return [
    ...['left join (select ', ...joined(selected, ', '), ' from ', { name: tableIn(qb, table) }],
    ...[') as ', { name: alias }, ' on ', ...joined(pairs, ' and ')],
  ];
}

function aliased(name: string, as: string): Sql<KnexPart> {
  return [{ name }, ' as ', { name: as }];
}

function equal(own: string, equals: string): Sql<KnexPart> {
  return [{ name: own }, ' = ', { name: equals }];
}

/**
 * Adds the schema from `withSchema()`. Knex adds this schema only to the listed table, and has no
 * getter for the schema.
 */
function tableIn(qb: Knex.QueryBuilder, table: string): string {
  const { _single: { schema } = {} } = qb as { _single?: { readonly schema?: string } };
  return schema === undefined || table.includes('.') ? table : `${schema}.${table}`;
}
