import type * as TypeOrm from 'typeorm';
import type { FindOperator } from 'typeorm';
import type { ColumnValue } from '../resolve/column.js';
import { optionalPeer } from '../resolve/optional-peer.js';
import type { Condition, ResolvedFilter } from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';
import type { BoundCondition } from './own-condition.js';
import { conditionSql } from '../sql/condition-sql.js';
import { bindable, sqlFor, writerFor } from './condition-sql.js';
import { parameterName } from './parameter-name.js';
import type { Bind, QueriedEntity } from './related-entity.js';

checkPeer('typeorm', '@fledge/query/typeorm');
const orm = optionalPeer('typeorm', '@fledge/query/typeorm') as typeof TypeOrm;
export const { And, Brackets } = orm;

/** Whether `findAndCount` counts the values of the members in `select`, as TypeORM 1 does. 0.3.20 counts rows. */
export const countsSelected =
  'computeSelectedColumnExpressions' in (orm.SelectQueryBuilder.prototype as object);

/** The operator of a condition, for the `where` of `find`. */
export function findOperatorOf(
  filter: ResolvedFilter,
  entity: QueriedEntity,
): FindOperator<unknown> {
  const typed = (value: ColumnValue) => bindable(value, entity.dialect);
  switch (filter.kind) {
    case 'compare':
      return COMPARISONS[filter.operator](typed(filter.value));
    case 'between':
      return orm.Between<unknown>(typed(filter.from), typed(filter.to));
    case 'in': {
      const list = orm.In<unknown>(filter.values.map(typed));
      return filter.operator === 'in' ? list : orm.Not(list);
    }
    case 'text':
      return rawOperatorOf(filter, entity);
    case 'null':
      return filter.isNull ? orm.IsNull() : orm.Not<unknown>(orm.IsNull());
    case 'nothing':
      return orm.In([]);
  }
}

/** The condition as a raw operator, to whose values TypeORM does not apply transformers. */
export function rawOperatorOf(
  filter: ResolvedFilter,
  entity: QueriedEntity,
): FindOperator<unknown> {
  const parameters: Record<string, unknown> = {};
  const writer = writerFor(entity, bindTo(parameters));
  const sql = conditionSql(filter, { ...writer, column: () => (path) => path });
  return orm.Raw<unknown>((path) => sqlFor(sql, path), parameters);
}

/**
 * Groups as a raw operator of one column, from whose path the alias of the entity is taken: `find` has OR only at the
 * top.
 * @param path of the column that gets the operator
 */
export function groupOperatorOf(
  condition: Condition,
  path: string,
  entity: QueriedEntity,
): FindOperator<unknown> {
  const parameters: Record<string, unknown> = {};
  const sql = conditionSql(condition, writerFor(entity, bindTo(parameters)));
  return orm.Raw<unknown>((column) => sqlFor(sql, column.slice(0, -path.length - 1)), parameters);
}

/** A condition of the caller as a raw operator of a column of the entity. */
export function ownOperatorOf(
  { sql, parameters }: BoundCondition,
  path: string,
): FindOperator<unknown> {
  return orm.Raw<unknown>((column) => sql(column.slice(0, -path.length - 1)), { ...parameters });
}

function bindTo(parameters: Record<string, unknown>): Bind {
  return (value) => {
    const name = parameterName();
    parameters[name] = value;
    return `:${name}`;
  };
}

const COMPARISONS = {
  eq: (value: unknown): FindOperator<unknown> => orm.Equal(value),
  neq: (value: unknown): FindOperator<unknown> => orm.Not(orm.Equal(value)),
  gt: orm.MoreThan<unknown>,
  gte: orm.MoreThanOrEqual<unknown>,
  lt: orm.LessThan<unknown>,
  lte: orm.LessThanOrEqual<unknown>,
};
