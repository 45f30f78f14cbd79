import type { FilterOperator, OptInOperator } from '../config/operators.js';
import type { FilterItem, WhereNode } from '../parse/parsed-query.js';
import { filter, type FilterValue } from '../build/filter.js';
import { refuseUnknownOperator } from '../build/unknown-operator.js';
import { UnbuildableQueryError } from '../query.errors.js';

/** A condition on any field, or a group of them. */
export type AnyNode = WhereNode<string, OptInOperator>;

/** The column, and the name of the operator in the grid. Used in error messages. */
export interface Place {
  readonly column: string;
  readonly operator: string;
}

/** @throws UnbuildableQueryError if the values do not fit the operator */
export function conditionAt(
  place: Place,
  operator: FilterOperator | OptInOperator,
  value: unknown,
): FilterItem<string, OptInOperator> {
  const { column } = place;
  switch (operator) {
    case 'in':
    case 'nin':
      return filter[operator](column, valuesAt(place, value));
    case 'between':
      return filter.between(column, ...boundsAt(place, value));
    case 'isnull':
      if (typeof value === 'boolean') return filter.isnull(column, value);
      throw unbuildable(place, 'Set its value to true or false.');
    default:
      refuseUnknownOperator('filter', column, operator);
      return filter[operator](column, valueAt(place, value));
  }
}

/** The condition is not left out, because the query would then return more rows. */
export function unbuildable({ column, operator }: Place, cure: string): UnbuildableQueryError {
  return new UnbuildableQueryError(`filter "${operator}" on "${column}"`, cure);
}

function valuesAt(place: Place, values: unknown): FilterValue[] {
  if (Array.isArray(values)) return values.map((value) => valueAt(place, value));
  throw unbuildable(place, 'Set its value to an array.');
}

function boundsAt(place: Place, values: unknown): [FilterValue, FilterValue] {
  const [from, to, ...others] = valuesAt(place, values);
  if (from !== undefined && to !== undefined && others.length === 0) return [from, to];
  throw unbuildable(place, 'Set its value to an array of two bounds.');
}

/** @throws UnbuildableQueryError if the value is missing, empty or a list */
function valueAt(place: Place, value: unknown): FilterValue {
  if (value === undefined || value === null || value === '') {
    throw unbuildable(place, 'The filter has no value. Set a value, or remove the filter.');
  }
  if (isFilterValue(value)) return value;
  throw unbuildable(place, 'Set its value to a string, a number, a boolean or a valid Date.');
}

function isFilterValue(value: unknown): value is FilterValue {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  return ['string', 'bigint', 'boolean'].includes(typeof value);
}
