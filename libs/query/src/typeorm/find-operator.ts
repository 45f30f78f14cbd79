import type * as TypeOrm from 'typeorm';
import type { FindOperator } from 'typeorm';
import { optionalPeer } from '../resolve/optional-peer.js';
import type { Condition } from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';
import { conditionSql } from '../shared-sql/condition-sql.js';
import { sqlFor, typeOrmWriter } from './render-sql.js';
import { type BoundCondition, parameterName } from './typeorm-condition.js';
import type { QueriedEntity } from './related-entity.js';

checkPeer('typeorm', '@fledge/query/typeorm');
const orm = optionalPeer('typeorm', '@fledge/query/typeorm') as typeof TypeOrm;
export const { And, Brackets } = orm;

/**
 * True if `findAndCount` counts distinct values of the fields in `select`. This is so in TypeORM 1.
 * TypeORM 0.3.20 counts rows.
 */
export const countsSelected =
  'computeSelectedColumnExpressions' in (orm.SelectQueryBuilder.prototype as object);

/**
 * Converts a condition to a raw operator for the `where` of `find`. Needed because `find` supports
 * OR only at the top level. The operator belongs to one column. The path of this column provides
 * the alias of the entity. TypeORM does not apply transformers to the values of a raw operator.
 * @param path the path of the column that gets the operator
 */
export function findOperatorOf(
  condition: Condition,
  path: string,
  entity: QueriedEntity,
): FindOperator<unknown> {
  const parameters: Record<string, unknown> = {};
  const writer = typeOrmWriter(entity, (value) => {
    const name = parameterName();
    parameters[name] = value;
    return `:${name}`;
  });
  const sql = conditionSql(condition, writer);
  return rawOperatorOf({ sql: (alias) => sqlFor(sql, alias), parameters }, path);
}

export function rawOperatorOf(
  { sql, parameters }: BoundCondition,
  path: string,
): FindOperator<unknown> {
  return orm.Raw<unknown>((column) => sql(column.slice(0, -path.length - 1)), { ...parameters });
}
