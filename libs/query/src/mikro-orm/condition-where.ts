// A static import, because MikroORM 7 is an ES module. Before Node.js 24.9, Jest cannot `require()`
// an ES module.
import * as mikroOrm from '@mikro-orm/core';
import { pgTimestamp } from '../resolve/calendar.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { LIKE_ESCAPE, likePattern, PG_COLLATION } from '../shared-sql/like-pattern.js';
import { columnSql } from '../shared-sql/column-sql.js';
import { conditionSql } from '../shared-sql/condition-sql.js';
import type { GroupWriter } from '../shared-sql/group-sql.js';
import { traitsOf } from '../shared-sql/order-sql.js';
import type { Sql, SqlEngine } from '../shared-sql/sql-writer.js';
import { nestedAtPath } from '../resolve/property-path.js';
import {
  pathOfColumn,
  pathOfRelation,
  type QueryRelation,
  relationsTo,
} from '../resolve/relation.js';
import type {
  Condition,
  ExistsCondition,
  ResolvedFilter,
  ResolvedSort,
} from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';
import type { FiltersOf } from './entity-filters.js';
import type { EntityProperties } from './entity-properties.js';

checkPeer('@mikro-orm/core', '@fledge/query/mikro-orm');
export const { raw, Reference, Utils, wrap } = mikroOrm;

/** The entity manager, and its properties that affect a `where`. */
export interface Place {
  readonly em: mikroOrm.EntityManager;
  readonly engine: SqlEngine;
  readonly filtersOf: FiltersOf;
  /** True inside `$some` and `$none`, where MikroORM applies no default filters. */
  readonly isInSubquery?: boolean;
}

/**
 * Create a new `where` for each call, because MikroORM accepts a raw key only once. Uses operators,
 * because MikroORM applies joins, default filters and custom types only to operators.
 */
export function mikroOrmWhere(
  condition: Condition,
  entity: EntityProperties,
  place: Place,
): Record<string, unknown> {
  const { engine } = place;
  if ('conditions' in condition) {
    const parts = condition.conditions.map((part) => mikroOrmWhere(part, entity, place));
    return { [condition.kind === 'and' ? '$and' : '$or']: parts };
  }
  if (condition.kind === 'exists') return relatedOf(condition, entity, place);
  const { name, json } = condition.column;
  if (json !== undefined || condition.kind === 'has') {
    const sql = conditionSql(
      condition,
      rawWriter(({ name: path }) => ({ column: entity.columnNameOf(path) }), engine),
    );
    // An empty array means that the raw key is the whole condition.
    return { [rawOf(sql, engine)]: [] };
  }
  if (condition.kind === 'text') {
    const operator = condition.negated ? 'not like' : 'like';
    const collation = engine === 'postgresql' ? ` ${PG_COLLATION}` : '';
    const sql: Sql<RawPart> = [
      'lower(',
      { column: entity.columnNameOf(name) },
      `${collation}) ${operator} lower(`,
      { value: likePattern(condition.operator, condition.text) },
      `) escape '${LIKE_ESCAPE}'`,
    ];
    return { [rawOf(sql, engine)]: [] };
  }
  // MikroORM 6 writes numbers into the SQL. PostgreSQL compares `real` with a number as
  // `double precision`, which differs for 0.1, but converts a string to `real`. PostgreSQL rejects
  // numbers that are out of range for `real`. Math.fround converts them to infinity or 0.
  const isReal = engine === 'postgresql' && entity.isReal(name);
  const operand = (value: ColumnValue) =>
    isReal ? String(Math.fround(Number(value))) : operandOf(value, condition.column, engine);
  return nestedAtPath(name, operatorsOf(condition, operand));
}

function relatedOf(
  { relation, negated, condition }: ExistsCondition,
  entity: EntityProperties,
  place: Place,
): Record<string, unknown> {
  const { name, many } = relation;
  const target = entity.relatedBy(relation);
  const within = many ? { ...place, isInSubquery: true } : place;
  const related = (inner: Condition) => mikroOrmWhere(inner, target, within);
  const filtered = (inner: Condition) => {
    const filters = within.isInSubquery ? place.filtersOf(target.metadata) : [];
    return filters.length > 0 ? { $and: [...filters, related(inner)] } : related(inner);
  };
  if (many) return nestedAtPath(name, { [negated ? '$none' : '$some']: filtered(condition) });
  if (!negated) return nestedAtPath(name, filtered(condition));
  // MikroORM 6.6.1 rejects $not inside $some. MikroORM finds a single related row with a left join.
  // If there is no related row, the columns of the related row are NULL.
  if (condition.kind === 'null') {
    return nestedAtPath(name, related({ ...condition, isNull: !condition.isNull }));
  }
  if (condition.kind !== 'exists') return { $not: nestedAtPath(name, related(condition)) };
  const none = nestedAtPath(name, related({ ...condition, negated: !condition.negated }));
  // $none becomes `id not in (...)`. The result is NULL if there is no related row.
  return isThroughMany(condition) ? { $or: [nestedAtPath(name, null), none] } : none;
}

function isThroughMany({ relation, condition }: ExistsCondition): boolean {
  return relation.many || (condition.kind === 'exists' && isThroughMany(condition));
}

/** A column, or a value. Without `alias`, the column belongs to the entity of the condition. */
export type RawPart =
  | { readonly column: string; readonly alias?: string }
  | { readonly value: unknown };

/**
 * A raw key or field. MikroORM passes the alias of the entity to it. Names are part of the SQL text,
 * because MikroORM 7 then finds the table of an inherited column (table-per-type inheritance).
 */
export function rawOf(parts: Sql<RawPart>, engine: SqlEngine): string {
  const bindings = parts.flatMap((part) =>
    typeof part === 'string' || 'column' in part ? [] : [part.value],
  );
  const textOf = (part: string | RawPart, alias: string) => {
    if (typeof part === 'string') return part;
    return 'column' in part ? `${part.alias ?? alias}.${quoted(part.column, engine)}` : '?';
  };
  return raw((alias) => parts.map((part) => textOf(part, alias)).join(''), bindings) as never;
}

/** Question marks are escaped, because MikroORM would read them as placeholders. */
function quoted(name: string, engine: SqlEngine): string {
  const mark = engine === 'postgresql' ? '"' : '`';
  return mark + name.replaceAll(mark, mark + mark).replaceAll('?', '\\?') + mark;
}

/**
 * Writes SQL for groups, for values in JSON and for arrays. The operators of MikroORM would compare
 * these values differently from the other adapters.
 */
export function rawWriter(
  columnOf: (column: QueryColumn) => RawPart,
  engine: SqlEngine,
): GroupWriter<RawPart> {
  return {
    ...traitsOf(engine),
    comparesAsFloat: engine === 'mysql',
    column: columnOf,
    value: (value) => ({ value: sentValue(value, engine) }),
    // Never called, because no condition on related rows is written with this writer.
    related: () => [],
  };
}

function sentValue(value: ColumnValue, engine: SqlEngine): ColumnValue {
  return engine === 'postgresql' && value instanceof Date ? pgTimestamp(value) : value;
}

export function relatedEntity(
  entity: EntityProperties,
  relation: QueryRelation | undefined,
): EntityProperties {
  return relationsTo(relation).reduce((from, to) => from.relatedBy(to), entity);
}

/** MikroORM supports `nulls last` and `nulls first` on every engine. */
export function mikroOrmOrder(
  { column, direction, nulls = 'last' }: ResolvedSort,
  entity: EntityProperties,
  engine: SqlEngine,
): Record<string, unknown> {
  const order = column.nullable === false ? direction : (`${direction} nulls ${nulls}` as const);
  const owner = relatedEntity(entity, column.relation);
  const writer = rawWriter(({ name }) => ({ column: owner.columnNameOf(name) }), engine);
  const isJson = column.json !== undefined;
  if (!isJson && !writer.ordersByDefinition(column)) {
    return nestedAtPath(pathOfColumn(column), order);
  }
  const sql = columnSql(column, writer);
  // MySQL sorts an enum in the order of its definition, but compares an enum as text. coalesce()
  // makes MySQL sort it as text.
  const key = {
    [rawOf(isJson ? sql : ['coalesce(', ...sql, ', ', ...sql, ')'], engine)]: order,
  };
  return column.relation ? nestedAtPath(pathOfRelation(column.relation), key) : key;
}

function operatorsOf(
  filter: Exclude<ResolvedFilter, { kind: 'text' | 'has' }>,
  typed: (value: ColumnValue) => unknown,
): object {
  switch (filter.kind) {
    case 'compare': {
      const operator = filter.operator === 'neq' ? '$ne' : `$${filter.operator}`;
      return { [operator]: typed(filter.value) };
    }
    case 'between':
      return { $gte: typed(filter.from), $lte: typed(filter.to) };
    case 'in':
      return { [`$${filter.operator}`]: filter.values.map(typed) };
    case 'null':
      return filter.isNull ? { $eq: null } : { $ne: null };
    case 'nothing':
      return { $in: [] };
  }
}

function operandOf(value: ColumnValue, { type }: QueryColumn, engine: SqlEngine): unknown {
  // MikroORM writes numbers into the SQL. The database would read Infinity as a column name.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return engine === 'postgresql' ? String(value) : raw(value < 0 ? '-9e999' : '9e999');
  }
  // To compare a decimal with text, MySQL converts both to floating point. Only 15 digits are then
  // exact.
  const cast = engine === 'mysql' && type === 'decimal' ? decimalTypeOf(String(value)) : undefined;
  return cast === undefined ? sentValue(value, engine) : raw(`cast(? as ${cast})`, [value]);
}
