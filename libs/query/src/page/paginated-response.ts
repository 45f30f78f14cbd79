import type { CappedTotal, EstimatedTotal, NoTotal, PartialTotal, Total } from './total.js';

/** One page of rows, and where it stands among all of them. */
export interface PaginatedResponse<T> {
  data: T[];
  meta: PaginationMeta;
}

export interface PaginationMeta {
  page: number;
  limit: number;
  total: number;
  /** 0 when there are no rows. */
  totalPages: number;
  hasNext: boolean;
  hasPrev: boolean;
}

/** A page whose rows were not counted. */
export interface SlicedResponse<T> {
  data: T[];
  meta: Omit<PaginationMeta, 'total' | 'totalPages'>;
}

/** A page whose rows were counted up to a cap. */
export interface CappedResponse<T> {
  data: T[];
  meta: PaginationMeta & { totalIsLowerBound: boolean };
}

/** A page whose rows were estimated. */
export interface EstimatedResponse<T> {
  data: T[];
  meta: PaginationMeta & { totalIsEstimate: true };
}

/** The response that a kind of total makes. */
export type ResponseFor<T, Given extends Total | PartialTotal> = Given extends NoTotal
  ? SlicedResponse<T>
  : Given extends CappedTotal
    ? CappedResponse<T>
    : Given extends EstimatedTotal
      ? EstimatedResponse<T>
      : PaginatedResponse<T>;
