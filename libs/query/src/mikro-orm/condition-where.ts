// A static import: MikroORM 7 is an ES module, which Jest cannot require before Node.js 24.9.
import * as mikroOrm from '@mikro-orm/core';
import { pgTimestamp } from '../resolve/calendar.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { relationsRefused } from '../resolve/declared-relations.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import { nestedAtPath } from '../resolve/property-path.js';
import type { Condition, ResolvedFilter, ResolvedSort } from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';

/** The engines that need different conditions. */
export type Engine = 'postgresql' | 'mysql' | 'other';

/** Gives the name in the database of the column at a path. */
export type ColumnNames = (path: string) => string;

checkPeer('@mikro-orm/core', '@fledge/query/mikro-orm');
const { raw } = mikroOrm;
export const { wrap } = mikroOrm;

/** The `where` of `em.find` for a condition. Create one per call: MikroORM accepts a raw key only once. */
export function whereOf(
  condition: Condition,
  columnNameOf: ColumnNames,
  engine: Engine,
): Record<string, unknown> {
  if ('conditions' in condition) {
    const parts = condition.conditions.map((part) => whereOf(part, columnNameOf, engine));
    return { [condition.kind === 'and' ? '$and' : '$or']: parts };
  }
  if (condition.kind === 'exists') throw relationsRefused('MikroORM');
  const { name } = condition.column;
  if (condition.kind === 'text') {
    const bindings = [columnNameOf(name), likePattern(condition.operator, condition.text)];
    const operator = condition.negated ? 'not like' : 'like';
    const like = (alias: string) =>
      `lower(${alias}.??) ${operator} lower(?) escape '${LIKE_ESCAPE}'`;
    // With an empty array, the raw key is the whole condition.
    return { [raw(like, bindings)]: [] };
  }
  return nestedAtPath(name, operatorsOf(condition, engine));
}

/** The `orderBy` of a sort key, NULLs last. MikroORM supports `nulls last` on every engine. */
export function orderOf(
  { column, direction }: ResolvedSort,
  columnNameOf: ColumnNames,
  engine: Engine,
): Record<string, unknown> {
  const order = column.nullable === false ? direction : `${direction} nulls last`;
  if (engine !== 'mysql' || column.type !== 'enum') return nestedAtPath(column.name, order);
  // MySQL orders an enum by its definition but compares it as text; coalesce() orders it as text.
  const name = columnNameOf(column.name);
  return { [raw((alias) => `coalesce(${alias}.??, ${alias}.??)`, [name, name])]: order };
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
