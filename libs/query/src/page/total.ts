import { InvalidTotalError } from '../query.errors.js';

/** A count of rows as drivers return it. The driver of PostgreSQL returns text. */
export type Total = number | bigint | string;

/**
 * A total that is not a full count. Fetch one row more than `limit` with it: the extra row sets `hasNext` and is cut
 * off.
 */
export type PartialTotal = NoTotal | CappedTotal | EstimatedTotal;

/** No total. */
export interface NoTotal {
  readonly kind: 'none';
}

/** A count that stopped at `cap + 1` rows. */
export interface CappedTotal {
  readonly kind: 'capped';
  readonly cap: number;
  readonly counted: Total;
}

/** An estimate, from the query planner or statistics. */
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
