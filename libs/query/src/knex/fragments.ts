import type { Knex } from 'knex';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { LIKE_ESCAPE, likePattern, PG_COLLATION } from '../resolve/like-pattern.js';
import type { Condition, ExistsCondition, TextFilter } from '../resolve/resolved-query.js';
import { sortedColumnOf } from '../resolve/sort-joins.js';
import { refOfJoined, type StepsOf } from '../resolve/sql-join.js';

/** SQL with bindings for its names (`??`) and values (`?`). */
export interface Fragment {
  readonly sql: string;
  readonly bindings: readonly Knex.Value[];
}

/** Converts a value of a column for the driver. */
type Encode = (value: ColumnValue, column: QueryColumn) => Knex.Value;

/** What conditions and sort keys need of the config, and where they stand. */
export interface Scope {
  readonly encode: Encode;
  readonly stepsOf: StepsOf;
  /** Whether the engine is PostgreSQL. @default false */
  readonly isPostgres?: boolean;
  /** The schema of the query, from `withSchema()`. @default none */
  readonly schema?: string | undefined;
  /** The alias of the related row of the condition. @default none: the row itself */
  readonly alias?: string;
}

/** The SQL of a condition. */
export function conditionOf(condition: Condition, scope: Scope): Fragment {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => conditionOf(part, scope));
      return grouped(parts, ` ${condition.kind} `);
    }
    case 'compare': {
      const { column, operator, value } = condition;
      const operand = operandOf(value, column, scope);
      const sql = `?? ${COMPARISONS[operator]} ${operand.sql}`;
      return withOperands(sql, refOf(column, scope), [operand]);
    }
    case 'between': {
      const { column, from, to } = condition;
      const [low, high] = [operandOf(from, column, scope), operandOf(to, column, scope)];
      const sql = `?? between ${low.sql} and ${high.sql}`;
      return withOperands(sql, refOf(column, scope), [low, high]);
    }
    case 'in': {
      const { column, operator, values } = condition;
      const operands = values.map((value) => operandOf(value, column, scope));
      const list = operands.map(({ sql }) => sql).join(', ');
      const sql = `?? ${operator === 'in' ? 'in' : 'not in'} (${list})`;
      return withOperands(sql, refOf(column, scope), operands);
    }
    case 'text':
      return textOf(condition, scope);
    case 'null': {
      const sql = condition.isNull ? '?? is null' : '?? is not null';
      return fragment(sql, refOf(condition.column, scope));
    }
    case 'exists':
      return existsOf(condition, scope);
    case 'nothing':
      return fragment('1 = 0');
  }
}

const COMPARISONS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The parameter for a value. Decimals are cast, because MySQL compares a decimal with text as floating point. */
function operandOf(value: ColumnValue, column: QueryColumn, { encode }: Scope): Fragment {
  const type = column.type === 'decimal' ? decimalTypeOf(String(value)) : undefined;
  return fragment(type === undefined ? '?' : `cast(? as ${type})`, encode(value, column));
}

function withOperands(sql: string, ref: string, operands: readonly Fragment[]): Fragment {
  return fragment(sql, ref, ...operands.flatMap(({ bindings }) => bindings));
}

function textOf({ column, operator, text, negated }: TextFilter, scope: Scope): Fragment {
  return fragment(
    `lower(??${scope.isPostgres ? ` ${PG_COLLATION}` : ''}) ${negated ? 'not like' : 'like'} lower(?) escape '${LIKE_ESCAPE}'`,
    refOf(column, scope),
    likePattern(operator, text),
  );
}

/** The name of a column for `??`, with the alias of its table if that is one of ours. */
export function refOf(column: QueryColumn, { alias, stepsOf }: Scope): string {
  if (alias !== undefined) return `${alias}.${column.name}`;
  return sortedColumnOf(column, stepsOf)?.ref ?? column.name;
}

function existsOf({ relation, negated, condition }: ExistsCondition, scope: Scope): Fragment {
  const steps = scope.stepsOf(relation);
  const tables = steps.map(({ table, alias }) =>
    fragment('?? as ??', tableIn(scope.schema, table), alias),
  );
  const joins = steps.flatMap(({ alias, on }) =>
    on.map(([own, equals]) => fragment('?? = ??', `${alias}.${own}`, refOfJoined(equals))),
  );
  const related = conditionOf(condition, { ...scope, alias: steps.at(-1)?.alias as string });
  const from = joined(tables, ', ');
  const where = joined([...joins, related], ' and ');
  const exists = negated ? 'not exists' : 'exists';
  return {
    sql: `${exists} (select 1 from ${from.sql} where ${where.sql})`,
    bindings: [...from.bindings, ...where.bindings],
  };
}

/** The name of a table in the schema of the query. A table with a schema of its own keeps it. */
export function tableIn(schema: string | undefined, table: string): string {
  return schema === undefined || table.includes('.') ? table : `${schema}.${table}`;
}

function grouped(parts: readonly Fragment[], by: string): Fragment {
  const { sql, bindings } = joined(parts, by);
  return { sql: `(${sql})`, bindings };
}

/** The SQL of the parts with a text between them. */
export function joined(parts: readonly Fragment[], by: string): Fragment {
  return {
    sql: parts.map(({ sql }) => sql).join(by),
    bindings: parts.flatMap(({ bindings }) => bindings),
  };
}

/** SQL with its bindings. */
export function fragment(sql: string, ...bindings: Knex.Value[]): Fragment {
  return { sql, bindings };
}
