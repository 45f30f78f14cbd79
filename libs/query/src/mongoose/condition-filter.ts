import type { Condition } from '../cursor/keyset.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import type { ResolvedFilter, TextFilter } from '../resolve/resolved-query.js';

export type MongoFilter = Record<string, unknown>;

/** What makes filters for one model. */
export interface FilterContext {
  /** Marks operators as ours, so that `sanitizeFilter` lets them be. */
  trusted(operators: object): object;
  /** The value as the database has it: an ObjectId, a Decimal128. */
  stored(value: ColumnValue, column: QueryColumn): unknown;
}

/** A condition in operator form, never `{ name: value }`, where a value could become an operator. */
export function filterOf(condition: Condition, context: FilterContext): MongoFilter {
  if ('conditions' in condition) {
    const parts = condition.conditions.map((part) => filterOf(part, context));
    return { [condition.kind === 'and' ? '$and' : '$or']: parts };
  }
  return { [condition.column.name]: context.trusted(operatorsOf(condition, context)) };
}

function operatorsOf(filter: ResolvedFilter, context: FilterContext): object {
  const stored = (value: ColumnValue) => context.stored(value, filter.column);
  switch (filter.kind) {
    case 'compare': {
      const value = stored(filter.value);
      // $ne would hold where there is no value.
      return filter.operator === 'neq'
        ? { $nin: [value, null] }
        : { [`$${filter.operator}`]: value };
    }
    case 'between':
      return { $gte: stored(filter.from), $lte: stored(filter.to) };
    case 'in': {
      const values = filter.values.map(stored);
      return filter.operator === 'in' ? { $in: values } : { $nin: [...values, null] };
    }
    case 'text':
      return { $regex: patternOf(filter), $options: 'i' };
    case 'null':
      return filter.isNull ? { $eq: null } : { $ne: null };
    case 'nothing':
      return { $in: [] };
  }
}

function patternOf({ operator, text }: TextFilter): string {
  const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  if (operator === 'starts') return `^${literal}`;
  // Not $, which MongoDB also finds before a line break at the end.
  return operator === 'ends' ? `${literal}(?![\\s\\S])` : literal;
}
