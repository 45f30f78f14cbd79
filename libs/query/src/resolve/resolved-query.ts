import type { NullOrder } from '../config/null-order.js';
import type { PaginationParams } from '../parse/parsed-query.js';
import type { ColumnValue, QueryColumn } from './column.js';
import type { QueryRelation } from './relation.js';
import type { SummaryColumns } from './summary-columns.js';

/**
 * A typed condition. NULL matches only `{ kind: 'null', isNull: true }`, in every backend: `neq` and `nin` leave out
 * rows with NULL, as in SQL.
 */
export type ResolvedFilter =
  | CompareFilter
  | BetweenFilter
  | InFilter
  | TextFilter
  | HasFilter
  | NullFilter
  | NothingFilter;

/** A filter, a group of conditions joined by AND or OR, or a condition on related rows. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | ExistsCondition
  | ResolvedFilter;

/**
 * A condition that is met by at least one related row. The columns of the condition belong to the
 * related row.
 */
export interface ExistsCondition {
  readonly kind: 'exists';
  readonly relation: QueryRelation;
  /** True if no related row may meet the condition. A row without related rows then matches. */
  readonly negated: boolean;
  readonly condition: Condition;
}

/** Returns whether a condition is a filter on one column of the row. */
export function isFilter(condition: Condition): condition is ResolvedFilter {
  return !('conditions' in condition) && condition.kind !== 'exists';
}

/** The column of a condition. */
export interface OnColumn {
  /** The field of the query, for messages. */
  readonly field: string;
  readonly column: QueryColumn;
}

/**
 * A comparison with one value. For strings, the collation of the column determines whether case and
 * accents matter.
 */
export interface CompareFilter extends OnColumn {
  readonly kind: 'compare';
  readonly operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
  readonly value: ColumnValue;
}

/** A range that includes both bounds. Matches nothing if `from` is greater than `to`. */
export interface BetweenFilter extends OnColumn {
  readonly kind: 'between';
  readonly from: ColumnValue;
  readonly to: ColumnValue;
}

/** A condition on a list of values, which is not empty. `nin` does not match NULL. */
export interface InFilter extends OnColumn {
  readonly kind: 'in';
  readonly operator: 'in' | 'nin';
  readonly values: readonly ColumnValue[];
}

/**
 * Matches a part of a string, or with `ieq` the whole string, ignoring the case of ASCII letters.
 * `%` and `_` in `text` are not wildcards.
 */
export interface TextFilter extends OnColumn {
  readonly kind: 'text';
  readonly operator: 'contains' | 'starts' | 'ends' | 'ieq';
  readonly text: string;
  /** Matches strings without the part. NULL matches neither. @default false */
  readonly negated?: true;
}

/** The array of an `array` column contains a value. A NULL among its elements matches nothing. */
export interface HasFilter extends OnColumn {
  readonly kind: 'has';
  /** The spellings of the value. At least one of them is in the array. */
  readonly values: readonly ColumnValue[];
  /** The array does not contain the value. NULL matches neither. @default false */
  readonly negated?: true;
}

/** IS NULL, or IS NOT NULL. */
export interface NullFilter extends OnColumn {
  readonly kind: 'null';
  readonly isNull: boolean;
}

/** Matches no row: an `in` without items. */
export interface NothingFilter extends OnColumn {
  readonly kind: 'nothing';
}

/**
 * A sort key. The relation of its column leads to at most one row. The column is NULL for rows
 * without it.
 */
export interface ResolvedSort {
  readonly field: string;
  readonly column: QueryColumn;
  readonly direction: 'asc' | 'desc';
  /** Position of rows with NULL, in ascending and descending order. @default 'last' */
  readonly nulls?: NullOrder;
}

/** A field of a row that a query requests. */
export interface ResolvedField {
  readonly field: string;
  /** Name in the backend: a column, a property or a dotted path. */
  readonly name: string;
}

/** Matches rows in which at least one column contains the string, as `contains` does. */
export interface ResolvedSearch {
  readonly text: string;
  /**
   * Columns of type `string`. The list is not empty. A column of several related rows matches if at
   * least one row contains the string.
   */
  readonly columns: readonly QueryColumn[];
}

/** A query with columns and typed values, for an adapter to translate. */
export interface ResolvedQuery {
  /** Joined by AND. */
  readonly filters: readonly Condition[];
  /** Joined to the filters by AND. An adapter must translate it. Undefined without groups. */
  readonly where: Condition | undefined;
  /** Joined to the filters by AND. */
  readonly search: ResolvedSearch | undefined;
  /** Strongest key first. Ends with the primary key, so that the order is unique. */
  readonly sort: readonly ResolvedSort[];
  readonly pagination: PaginationParams;
  /** The fields to return, the key first. Missing if the whole row is returned. */
  readonly fields?: readonly ResolvedField[];
  /** Identifies the list. Cursors of other lists are rejected. */
  readonly list?: string;
}

/** The columns of a list, as an adapter passes them to `resolveQuery`. */
export interface QuerySpec {
  /** Filterable columns by field. */
  readonly columns: Readonly<Record<string, QueryColumn>>;
  /** Sortable columns by field. @default `columns` */
  readonly sortable?: Readonly<Record<string, QueryColumn>>;
  /** Columns of type `string` that `q` searches. @default none: `q` is ignored */
  readonly search?: readonly QueryColumn[];
  /** Appended to each order, so that pages do not skip or repeat rows. @default none */
  readonly primaryKey?: readonly QueryColumn[];
  /** Position of rows with NULL in each order. @default 'last' */
  readonly nulls?: NullOrder;
  /**
   * The names, in the backend, of the fields that `fields` may request.
   * @default none: `fields` is ignored
   */
  readonly selectable?: Readonly<Record<string, string>> | undefined;
  /** Identifies the list. Cursors of other lists are rejected. @default none */
  readonly list?: string;
  /** The columns of `facets`, `group` and `aggregate`. @default none: they are ignored */
  readonly summary?: SummaryColumns | undefined;
}
