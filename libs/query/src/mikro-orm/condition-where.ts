// A static import: MikroORM 7 is an ES module, which Jest cannot require before Node.js 24.9.
import * as mikroOrm from '@mikro-orm/core';
import { pgTimestamp } from '../resolve/calendar.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { LIKE_ESCAPE, likePattern, PG_COLLATION } from '../shared-sql/like-pattern.js';
import { nestedAtPath } from '../resolve/property-path.js';
import { pathOfColumn, pathOfRelation, relationsTo } from '../resolve/relation.js';
import type {
  Condition,
  ExistsCondition,
  ResolvedFilter,
  ResolvedSort,
} from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';
import type { FiltersOf } from './entity-filters.js';
import type { EntityProperties } from './entity-properties.js';

/** The engines that need different conditions. */
export type Engine = 'postgresql' | 'mysql' | 'other';

checkPeer('@mikro-orm/core', '@fledge/query/mikro-orm');
export const { raw, Reference, Utils, wrap } = mikroOrm;

/** What a `where` needs of the entity manager. */
export interface Place {
  readonly engine: Engine;
  readonly filtersOf: FiltersOf;
}

/**
 * The `where` of `em.find` for a condition. Create one per call: MikroORM accepts a raw key only once. The conditions are
 * operators and not the SQL of other adapters, because MikroORM applies joins, default filters and custom types to operators only.
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
  const { name } = condition.column;
  if (condition.kind === 'text') {
    const bindings = [entity.columnNameOf(name), likePattern(condition.operator, condition.text)];
    const operator = condition.negated ? 'not like' : 'like';
    const collation = engine === 'postgresql' ? ` ${PG_COLLATION}` : '';
    const like = (alias: string) =>
      `lower(${alias}.??${collation}) ${operator} lower(?) escape '${LIKE_ESCAPE}'`;
    // With an empty array, the raw key is the whole condition.
    return { [raw(like, bindings)]: [] };
  }
  return nestedAtPath(name, operatorsOf(condition, engine));
}

function relatedOf(
  { relation, negated, condition }: ExistsCondition,
  entity: EntityProperties,
  place: Place,
): Record<string, unknown> {
  const { name, many } = relation;
  const target = entity.relatedBy(relation);
  const related = (inner: Condition) => mikroOrmWhere(inner, target, place);
  if (many) {
    const filters = place.filtersOf(target.metadata);
    const found = related(condition);
    const inner = filters.length > 0 ? { $and: [...filters, found] } : found;
    return nestedAtPath(name, { [negated ? '$none' : '$some']: inner });
  }
  if (!negated) return nestedAtPath(name, related(condition));
  // MikroORM 6.6.1 refuses $not inside $some. It joins left: without the related row, its columns are NULL.
  if (condition.kind === 'null') {
    return nestedAtPath(name, related({ ...condition, isNull: !condition.isNull }));
  }
  if (condition.kind !== 'exists') return { $not: nestedAtPath(name, related(condition)) };
  const none = nestedAtPath(name, related({ ...condition, negated: !condition.negated }));
  // $none is `id not in (...)`, which is unknown without the related row.
  return isThroughMany(condition) ? { $or: [nestedAtPath(name, null), none] } : none;
}

function isThroughMany({ relation, condition }: ExistsCondition): boolean {
  return relation.many || (condition.kind === 'exists' && isThroughMany(condition));
}

/** The `orderBy` of a sort key. MikroORM supports `nulls last` and `nulls first` on every engine. */
export function mikroOrmOrder(
  { column, direction, nulls = 'last' }: ResolvedSort,
  entity: EntityProperties,
  engine: Engine,
): Record<string, unknown> {
  const order = column.nullable === false ? direction : (`${direction} nulls ${nulls}` as const);
  if (engine !== 'mysql' || column.type !== 'enum') {
    return nestedAtPath(pathOfColumn(column), order);
  }
  // MySQL orders an enum by its definition but compares it as text; coalesce() orders it as text.
  const owner = relationsTo(column.relation).reduce((from, to) => from.relatedBy(to), entity);
  const name = owner.columnNameOf(column.name);
  const text = { [raw((alias) => `coalesce(${alias}.??, ${alias}.??)`, [name, name])]: order };
  return column.relation ? nestedAtPath(pathOfRelation(column.relation), text) : text;
}

function operatorsOf(filter: Exclude<ResolvedFilter, { kind: 'text' }>, engine: Engine): object {
  const typed = (value: ColumnValue) => operandOf(value, filter.column, engine);
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

function operandOf(value: ColumnValue, { type }: QueryColumn, engine: Engine): unknown {
  // MikroORM writes numbers into the SQL text, where Infinity would be read as a column name.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return engine === 'postgresql' ? String(value) : raw(value < 0 ? '-9e999' : '9e999');
  }
  if (engine === 'postgresql' && value instanceof Date) return pgTimestamp(value);
  // MySQL compares a decimal with text as floating point, which is exact to 15 digits only.
  const cast = engine === 'mysql' && type === 'decimal' ? decimalTypeOf(String(value)) : undefined;
  return cast === undefined ? value : raw(`cast(? as ${cast})`, [value]);
}
