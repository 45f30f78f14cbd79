import { InvalidTotalError } from '../query.errors.js';

/** The number of rows, in a type that drivers return. PostgreSQL's driver returns a string. */
export type Total = number | bigint | string;

/**
 * A total that is not an exact count. Fetch one row more than `limit`. The additional row sets
 * `hasNext` and is removed.
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

/** An estimated total, for example from the query planner. */
export interface EstimatedTotal {
  readonly kind: 'estimated';
  readonly total: Total;
  /**
   * True if the rows were counted exactly. `meta.totalIsEstimate` is then false.
   * @default false
   */
  readonly isExact?: boolean;
}

/** @throws InvalidTotalError */
export function countOf(total: Total): number {
  const count = typeof total === 'string' && !/^\d+$/.test(total) ? NaN : Number(total);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new InvalidTotalError(total);
}

/** One page of rows, and its position in the list. */
export interface PaginatedResponse<T> {
  data: T[];
  meta: PaginationMeta;
}

/** The position of a page in a list. */
export interface PaginationMeta {
  /** The first page is 1. */
  page: number;
  /** Rows per page. */
  limit: number;
  /** Rows on all pages. */
  total: number;
  /** Number of pages. 0 if there are no rows. */
  totalPages: number;
  hasNext: boolean;
  hasPrev: boolean;
}

/** A page without a total (`{ kind: 'none' }`). */
export interface SlicedResponse<T> {
  data: T[];
  meta: Omit<PaginationMeta, 'total' | 'totalPages'>;
}

/**
 * A page whose total was counted up to a limit. `totalIsLowerBound` is true if there are more rows.
 */
export interface CappedResponse<T> {
  data: T[];
  meta: PaginationMeta & { totalIsLowerBound: boolean };
}

/** A page with an estimated total. `totalIsEstimate` is false if the rows were counted exactly. */
export interface EstimatedResponse<T> {
  data: T[];
  meta: PaginationMeta & { totalIsEstimate: boolean };
}

/** The type of the response for a kind of total. */
export type ResponseFor<T, Given extends Total | PartialTotal> = Given extends NoTotal
  ? SlicedResponse<T>
  : Given extends CappedTotal
    ? CappedResponse<T>
    : Given extends EstimatedTotal
      ? EstimatedResponse<T>
      : PaginatedResponse<T>;
