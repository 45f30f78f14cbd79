import { InvalidTotalError } from '../query.errors.js';

/** A count of rows, as drivers give it: PostgreSQL's are text. */
export type Total = number | bigint | string;

/**
 * How a total came about, when not by counting all rows. Each of these asks for one row more than the limit:
 * whether there is a next page is told by that row, which is cut off.
 */
export type PartialTotal = NoTotal | CappedTotal | EstimatedTotal;

/** Nothing was counted. */
export interface NoTotal {
  readonly kind: 'none';
}

/** At most `cap + 1` rows were counted. */
export interface CappedTotal {
  readonly kind: 'capped';
  readonly cap: number;
  readonly counted: Total;
}

/** The planner or a statistic was asked. */
export interface EstimatedTotal {
  readonly kind: 'estimated';
  readonly total: Total;
}

/**
 * The count as a number.
 * @throws InvalidTotalError
 */
export function countOf(total: Total): number {
  const count = typeof total === 'string' && !/^\d+$/.test(total) ? NaN : Number(total);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new InvalidTotalError(total);
}
