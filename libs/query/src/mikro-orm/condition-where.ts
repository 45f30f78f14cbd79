import type * as MikroOrm from '@mikro-orm/core';
import type { Condition } from '../cursor/keyset.js';
import type { ColumnType, ColumnValue } from '../resolve/column.js';
import { LIKE_ESCAPE, likePattern } from '../resolve/like-pattern.js';
import { optionalPeer } from '../resolve/optional-peer.js';
import type { ResolvedFilter } from '../resolve/resolved-query.js';

/** The database's name of the column at a path. */
export type ColumnNames = (path: string) => string;

const { raw } = optionalPeer('@mikro-orm/core', '@fledge/query/mikro-orm') as typeof MikroOrm;

/** A condition as `em.find` takes it, each time anew: MikroORM uses a raw key up. */
export function whereOf(condition: Condition, columnNameOf: ColumnNames): Record<string, unknown> {
  if ('conditions' in condition) {
    const parts = condition.conditions.map((part) => whereOf(part, columnNameOf));
    return { [condition.kind === 'and' ? '$and' : '$or']: parts };
  }
  const { name } = condition.column;
  if (condition.kind === 'text') {
    const bindings = [columnNameOf(name), likePattern(condition.operator, condition.text)];
    const like = (alias: string) => `lower(${alias}.??) like lower(?) escape '${LIKE_ESCAPE}'`;
    // An empty list says that the key is the whole condition.
    return { [raw(like, bindings)]: [] };
  }
  return nested(name, operatorsOf(condition));
}

/** `{ address: { city: value } }`. */
export function nested(path: string, value: unknown): Record<string, unknown> {
  return path
    .split('.')
    .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
}

function operatorsOf(filter: Exclude<ResolvedFilter, { kind: 'text' }>): object {
  const typed = (value: ColumnValue) => storable(value, filter.column.type);
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

/** As it is stored: SQLite compares times as text. */
function storable(value: ColumnValue, type: ColumnType): ColumnValue {
  return type === 'time' && typeof value === 'string' && value.length === 5 ? `${value}:00` : value;
}
