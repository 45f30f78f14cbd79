// A static import: Kysely 0.29 is an ES module, which Jest cannot require before Node.js 24.9.
import * as kysely from 'kysely';
import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { LIKE_ESCAPE, likePattern, PG_COLLATION } from '../resolve/like-pattern.js';
import type {
  Condition,
  ExistsCondition,
  ResolvedField,
  TextFilter,
} from '../resolve/resolved-query.js';
import { sortedColumnOf } from '../resolve/sort-joins.js';
import { refOfJoined, type StepsOf } from '../resolve/sql-join.js';
import { checkPeer } from '../resolve/supported-peers.js';

checkPeer('kysely', '@fledge/query/kysely');
const { sql } = kysely;

/** Tables of any names: those of a config are texts. */
export type Tables = Record<string, Record<string, unknown>>;

/** Builds expressions with the names of a config. */
export type TablesBuilder = ExpressionBuilder<Tables, string>;

/** Converts a value of a column for the driver. */
type Encode = (value: ColumnValue, column: QueryColumn) => unknown;

/** What conditions and sort keys need of the config, and where they stand. */
export interface Scope {
  readonly encode: Encode;
  readonly stepsOf: StepsOf;
  /** Whether the engine is PostgreSQL. @default false */
  readonly isPostgres?: boolean;
  /** The alias of the related row of the condition. @default none: the row itself */
  readonly alias?: string;
}

/** The expression of a condition. */
export function conditionOf(
  eb: TablesBuilder,
  condition: Condition,
  scope: Scope,
): Expression<SqlBool> {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return eb[condition.kind](condition.conditions.map((part) => conditionOf(eb, part, scope)));
    case 'compare': {
      const { column, operator, value } = condition;
      return eb(refOf(column, scope), COMPARISONS[operator], operandOf(value, column, scope));
    }
    case 'between': {
      const { column, from, to } = condition;
      const lowest = operandOf(from, column, scope);
      return eb.between(refOf(column, scope), lowest, operandOf(to, column, scope));
    }
    case 'in': {
      const { column, operator, values } = condition;
      const operands = values.map((value) => operandOf(value, column, scope));
      return eb(refOf(column, scope), operator === 'in' ? 'in' : 'not in', operands);
    }
    case 'text':
      return textOf(condition, scope);
    case 'null':
      return eb(refOf(condition.column, scope), condition.isNull ? 'is' : 'is not', null);
    case 'exists':
      return existsOf(eb, condition, scope);
    case 'nothing':
      return sql<SqlBool>`1 = 0`;
  }
}

/** Replaces the columns of a query by the members of a row that were asked for, each named as its field. */
export function withColumns<DB, TB extends keyof DB, O>(
  qb: SelectQueryBuilder<DB, TB, O>,
  fields: readonly ResolvedField[],
): SelectQueryBuilder<DB, TB, O> {
  const columns = fields.map(({ field, name }) => sql.ref(name).as(field));
  // The members are known when the query runs.
  return qb.clearSelect().select(columns) as SelectQueryBuilder<DB, TB, O>;
}

const COMPARISONS = { eq: '=', neq: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** `sql.ref`, because Kysely parses plain strings such as `a desc` and `a as b`. */
export function refOf(column: QueryColumn, { alias, stepsOf }: Scope): Expression<unknown> {
  if (alias !== undefined) return sql.ref(`${alias}.${column.name}`);
  return sql.ref(sortedColumnOf(column, stepsOf)?.ref ?? column.name);
}

/** By the query builder, so that `withSchema()` and plugins find the tables. */
function existsOf(
  eb: TablesBuilder,
  { relation, negated, condition }: ExistsCondition,
  scope: Scope,
): Expression<SqlBool> {
  const steps = scope.stepsOf(relation);
  const alias = steps.at(-1)?.alias as string;
  const related = eb
    .selectFrom(steps.map((step) => `${step.table} as ${step.alias}`))
    .select(eb.lit(1).as('one'))
    .where((inner) =>
      inner.and([
        ...steps.flatMap((step) =>
          step.on.map(([own, equals]) => equal(inner, `${step.alias}.${own}`, refOfJoined(equals))),
        ),
        conditionOf(inner, condition, { ...scope, alias }),
      ]),
    );
  return negated ? eb.not(eb.exists(related)) : eb.exists(related);
}

/** Two equal columns, each with its alias or table. */
export function equal(eb: TablesBuilder, own: string, equals: string): Expression<SqlBool> {
  return eb(sql.ref(own), '=', sql.ref(equals));
}

/** The parameter for a value. Decimals are cast, because MySQL compares a decimal with text as floating point. */
function operandOf(value: ColumnValue, column: QueryColumn, { encode }: Scope): unknown {
  const type = column.type === 'decimal' ? decimalTypeOf(String(value)) : undefined;
  const encoded = encode(value, column);
  return type === undefined ? encoded : sql`cast(${encoded} as ${sql.raw(type)})`;
}

function textOf(
  { column, operator, text, negated }: TextFilter,
  scope: Scope,
): Expression<SqlBool> {
  const pattern = likePattern(operator, text);
  const like = sql.raw(negated ? 'not like' : 'like');
  const ref = refOf(column, scope);
  const own = scope.isPostgres ? sql`${ref} ${sql.raw(PG_COLLATION)}` : ref;
  return sql<SqlBool>`lower(${own}) ${like} lower(${pattern}) escape ${sql.lit(LIKE_ESCAPE)}`;
}
