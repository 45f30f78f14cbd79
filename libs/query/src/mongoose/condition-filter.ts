import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import type { QueryRelation } from '../resolve/relation.js';
import type {
  Condition,
  HasFilter,
  ResolvedFilter,
  TextFilter,
} from '../resolve/resolved-query.js';

export type MongoFilter = Record<string, unknown>;

export interface FilterContext {
  /** Marks operators as trusted. Otherwise, `sanitizeFilter` would remove the operators. */
  trusted(operators: object): object;
  /** Converts a value to its stored type, such as ObjectId or Decimal128. */
  stored(value: ColumnValue, column: QueryColumn): unknown;
  /** Returns these functions for the elements of an array of subdocuments. */
  within(relation: QueryRelation): FilterContext;
}

/** Returns a filter with operators. In `{ name: value }`, MongoDB could read the value as one. */
export function filterOf(condition: Condition, context: FilterContext): MongoFilter {
  if ('conditions' in condition) {
    const parts = condition.conditions.map((part) => filterOf(part, context));
    return { [condition.kind === 'and' ? '$and' : '$or']: parts };
  }
  if (condition.kind === 'exists') {
    const { relation, negated } = condition;
    // One array element must match the whole condition. Without $elemMatch, `neq` would compare
    // each element separately.
    const found = { $elemMatch: filterOf(condition.condition, context.within(relation)) };
    return { [relation.name]: context.trusted(negated ? { $not: found } : found) };
  }
  // Never reached, because a config with such a column is rejected earlier.
  if (condition.kind === 'has') return {};
  return { [condition.column.name]: context.trusted(operatorsOf(condition, context)) };
}

function operatorsOf(filter: Exclude<ResolvedFilter, HasFilter>, context: FilterContext): object {
  const stored = (value: ColumnValue) => context.stored(value, filter.column);
  switch (filter.kind) {
    case 'compare': {
      const value = stored(filter.value);
      // Needed because $ne alone also matches documents without a value.
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
    case 'text': {
      const found = { $regex: patternOf(filter), $options: 'i' };
      // Needed because $not alone also matches documents without a value.
      return filter.negated ? { $not: found, $ne: null } : found;
    }
    case 'null':
      return filter.isNull ? { $eq: null } : { $ne: null };
    case 'nothing':
      return { $in: [] };
  }
}

function patternOf({ operator, text }: TextFilter): string {
  const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const start = operator === 'starts' || operator === 'ieq' ? '^' : '';
  // Not `$`, because `$` also matches before a line break at the end.
  const end = operator === 'ends' || operator === 'ieq' ? '(?![\\s\\S])' : '';
  return start + literal + end;
}
