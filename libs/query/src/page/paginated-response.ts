import type { CappedTotal, EstimatedTotal, NoTotal, PartialTotal, Total } from './total.js';

/** One page of rows, and its position in the list. */
export interface PaginatedResponse<T> {
  data: T[];
  meta: PaginationMeta;
}

/** The position of a page in its list. */
export interface PaginationMeta {
  /** From 1. */
  page: number;
  /** Rows per page. */
  limit: number;
  /** Rows on all pages. */
  total: number;
  /** 0 if there are no rows. */
  totalPages: number;
  hasNext: boolean;
  hasPrev: boolean;
}

/** A page without a total (`{ kind: 'none' }`). */
export interface SlicedResponse<T> {
  data: T[];
  meta: Omit<PaginationMeta, 'total' | 'totalPages'>;
}

/** A page whose total was counted up to a cap. `totalIsLowerBound` is true if there are more rows. */
export interface CappedResponse<T> {
  data: T[];
  meta: PaginationMeta & { totalIsLowerBound: boolean };
}

/** A page with an estimated total. */
export interface EstimatedResponse<T> {
  data: T[];
  meta: PaginationMeta & { totalIsEstimate: true };
}

/** The response type for a type of total. */
export type ResponseFor<T, Given extends Total | PartialTotal> = Given extends NoTotal
  ? SlicedResponse<T>
  : Given extends CappedTotal
    ? CappedResponse<T>
    : Given extends EstimatedTotal
      ? EstimatedResponse<T>
      : PaginatedResponse<T>;
