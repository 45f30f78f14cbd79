// Imported, not required: MikroORM is ESM only since 7, which Jest cannot require before Node.js 24.9.
import * as mikroOrm from '@mikro-orm/core';
import type { Condition } from '../cursor/keyset.js';
import { pgTimestamp } from '../resolve/calendar.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import type { ResolvedFilter, ResolvedSort } from '../resolve/resolved-query.js';
import { checkPeer } from '../resolve/supported-peers.js';

/** What a query has to know of the engine behind MikroORM. */
export type Engine = 'postgresql' | 'mysql' | 'other';

/** The database's name of the column at a path. */
export type ColumnNames = (path: string) => string;

checkPeer('@mikro-orm/core', '@fledge/query/mikro-orm');
const { raw } = mikroOrm;

/** A condition as `em.find` takes it, each time anew: MikroORM uses a raw key up. */
export function whereOf(
  condition: Condition,
  columnNameOf: ColumnNames,
  engine: Engine,
): Record<string, unknown> {
  if ('conditions' in condition) {
    const parts = condition.conditions.map((part) => whereOf(part, columnNameOf, engine));
    return { [condition.kind === 'and' ? '$and' : '$or']: parts };
  }
  const { name } = condition.column;
  if (condition.kind === 'text') {
    const bindings = [columnNameOf(name), likePattern(condition.operator, condition.text)];
    const like = (alias: string) => `lower(${alias}.??) like lower(?) escape '${LIKE_ESCAPE}'`;
    // An empty list says that the key is the whole condition.
    return { [raw(like, bindings)]: [] };
  }
  return nested(name, operatorsOf(condition, engine));
}

/** NULLs last; MikroORM says so in every dialect, and where there are none nothing has to be said. */
export function orderOf(
  { column, direction }: ResolvedSort,
  columnNameOf: ColumnNames,
  engine: Engine,
): Record<string, unknown> {
  const order = column.nullable === false ? direction : `${direction} nulls last`;
  if (engine !== 'mysql' || column.type !== 'enum') return nested(column.name, order);
  // MySQL orders an enumeration by its definition, but compares it with a value as text: here it is text twice.
  const name = columnNameOf(column.name);
  return { [raw((alias) => `coalesce(${alias}.??, ${alias}.??)`, [name, name])]: order };
}

/** `{ address: { city: value } }`. */
function nested(path: string, value: unknown): Record<string, unknown> {
  return path
    .split('.')
    .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
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
  // MikroORM writes numbers into the SQL, where Infinity would be the name of a column.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return engine === 'postgresql' ? String(value) : raw(value < 0 ? '-9e999' : '9e999');
  }
  if (engine === 'postgresql' && value instanceof Date) return pgTimestamp(value);
  // MySQL compares decimals with text as floating point: 17 digits would do for 20.
  const cast = engine === 'mysql' && type === 'decimal' ? decimalTypeOf(String(value)) : undefined;
  return cast === undefined ? value : raw(`cast(? as ${cast})`, [value]);
}
