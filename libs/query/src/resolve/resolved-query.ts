import type { PaginationParams } from '../parse/parsed-query.js';
import type { ColumnValue, QueryColumn } from './column.js';

/**
 * One condition, typed. The law of NULL, the same in every backend: no condition holds for a NULL column
 * but `null` with `isNull: true`. So `neq` and `nin` leave rows with NULL out, as SQL does and as a backend
 * with two-valued logic has to be told.
 */
export type ResolvedFilter =
  CompareFilter | BetweenFilter | InFilter | TextFilter | NullFilter | NothingFilter;

interface OnColumn {
  /** The field of the query: for messages. */
  readonly field: string;
  readonly column: QueryColumn;
}

/** Exact on text, case and accents included, where the column's collation is. */
export interface CompareFilter extends OnColumn {
  readonly kind: 'compare';
  readonly operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
  readonly value: ColumnValue;
}

/** Both bounds belong to it. Bounds in the wrong order match nothing; they are not swapped. */
export interface BetweenFilter extends OnColumn {
  readonly kind: 'between';
  readonly from: ColumnValue;
  readonly to: ColumnValue;
}

/** `values` is never empty. `nin` holds for no NULL. */
export interface InFilter extends OnColumn {
  readonly kind: 'in';
  readonly operator: 'in' | 'nin';
  readonly values: readonly ColumnValue[];
}

/** Part of a text, upper and lower case of ASCII letters alike. `text` is plain: no wildcards. */
export interface TextFilter extends OnColumn {
  readonly kind: 'text';
  readonly operator: 'contains' | 'starts' | 'ends';
  readonly text: string;
}

/** IS NULL, or IS NOT NULL. */
export interface NullFilter extends OnColumn {
  readonly kind: 'null';
  readonly isNull: boolean;
}

/** Holds for no row: an `in` of no items. Leaving it out would answer with every row. */
export interface NothingFilter extends OnColumn {
  readonly kind: 'nothing';
}

/** One key of the order. NULLs come last in either direction. */
export interface ResolvedSort {
  readonly field: string;
  readonly column: QueryColumn;
  readonly direction: 'asc' | 'desc';
}

/** Rows of which at least one column contains the text, as `contains` does. */
export interface ResolvedSearch {
  readonly text: string;
  /** Never empty, and all of type `string`. */
  readonly columns: readonly QueryColumn[];
}

/** A query with every name and value resolved: what an adapter translates. */
export interface ResolvedQuery {
  /** All of them have to hold. */
  readonly filters: readonly ResolvedFilter[];
  /** Has to hold too. */
  readonly search: ResolvedSearch | undefined;
  /** First is strongest; ends with the primary key, so no two rows are equal. */
  readonly sort: readonly ResolvedSort[];
  readonly pagination: PaginationParams;
  /** The list its cursors are bound to. */
  readonly list?: string;
}
