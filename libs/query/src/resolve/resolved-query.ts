import type { NullOrder } from '../config/null-order.js';
import type { PaginationParams } from '../parse/parsed-query.js';
import type { ColumnValue, QueryColumn } from './column.js';
import type { QueryRelation } from './relation.js';

/**
 * A typed condition. NULL matches only `{ kind: 'null', isNull: true }`, in every database. As in
 * SQL, `neq` and `nin` do not match NULL.
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
 * A condition on related rows. At least one related row must match it. Its columns belong to the
 * related row.
 */
export interface ExistsCondition {
  readonly kind: 'exists';
  readonly relation: QueryRelation;
  /** True if no related row may match the condition. Rows without related rows then match. */
  readonly negated: boolean;
  readonly condition: Condition;
}

export function isFilter(condition: Condition): condition is ResolvedFilter {
  return !('conditions' in condition) && condition.kind !== 'exists';
}

/** The column of a condition. */
export interface OnColumn {
  /** The field in the query, for messages. */
  readonly field: string;
  readonly column: QueryColumn;
}

/**
 * A comparison with one value. For strings, the column's collation decides whether case and accents
 * matter.
 */
export interface CompareFilter extends OnColumn {
  readonly kind: 'compare';
  readonly operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
  readonly value: ColumnValue;
}

/** A range with both bounds included. Matches nothing if `from` is greater than `to`. */
export interface BetweenFilter extends OnColumn {
  readonly kind: 'between';
  readonly from: ColumnValue;
  readonly to: ColumnValue;
}

/** A condition on a list of values. The list is not empty. `nin` does not match NULL. */
export interface InFilter extends OnColumn {
  readonly kind: 'in';
  readonly operator: 'in' | 'nin';
  readonly values: readonly ColumnValue[];
}

/**
 * Matches part of a string. With the operator `ieq`, matches the whole string. Ignores the case of
 * ASCII letters. `%` and `_` in `text` are normal characters.
 */
export interface TextFilter extends OnColumn {
  readonly kind: 'text';
  readonly operator: 'contains' | 'starts' | 'ends' | 'ieq';
  readonly text: string;
  /** True to match strings that do not contain the text. NULL never matches. @default false */
  readonly negated?: true;
}

/** Matches arrays that contain a value. NULL elements match nothing. */
export interface HasFilter extends OnColumn {
  readonly kind: 'has';
  /**
   * The spellings of the value, in upper or lower case, that the database may store. The array must
   * contain at least one of these spellings.
   */
  readonly values: readonly ColumnValue[];
  /**
   * True to match arrays that do not contain the value. A NULL array never matches.
   * @default false
   */
  readonly negated?: true;
}

/** IS NULL, or IS NOT NULL. */
export interface NullFilter extends OnColumn {
  readonly kind: 'null';
  readonly isNull: boolean;
}

/** Matches no row. An example is `in` with an empty list. */
export interface NothingFilter extends OnColumn {
  readonly kind: 'nothing';
}

/**
 * A sort key. Its column belongs to the row or to a single related row. The column is NULL if there
 * is no related row.
 */
export interface ResolvedSort {
  readonly field: string;
  readonly column: QueryColumn;
  readonly direction: 'asc' | 'desc';
  /**
   * Position of rows with NULL. It is the same in ascending and descending order.
   * @default 'last'
   */
  readonly nulls?: NullOrder;
}

/** A requested field of a row. */
export interface ResolvedField {
  readonly field: string;
  /** The name of the column in the database, the name of the property, or a dotted path. */
  readonly name: string;
}

/**
 * Matches rows if at least one column contains the string. The comparison is the same as for
 * `contains`.
 */
export interface ResolvedSearch {
  readonly text: string;
  /**
   * Columns of type `string`. The list is not empty. If a column belongs to several related rows,
   * one matching row is sufficient.
   */
  readonly columns: readonly QueryColumn[];
}

/** A query with columns and typed values. An adapter translates it. */
export interface ResolvedQuery {
  /** Joined by AND. */
  readonly filters: readonly Condition[];
  /**
   * Combined with the filters by AND. Every adapter must translate it. Undefined without groups.
   */
  readonly where: Condition | undefined;
  /** Combined with the filters by AND. */
  readonly search: ResolvedSearch | undefined;
  /**
   * The first key is the most important. The last keys are the primary key, so the order is unique.
   */
  readonly sort: readonly ResolvedSort[];
  readonly pagination: PaginationParams;
  /** The fields to return, starting with the primary key. Missing if the whole row is returned. */
  readonly fields?: readonly ResolvedField[];
  /** Identifies the list. A cursor of another list is rejected. */
  readonly list?: string;
  /** The cursor in the query string. Only one of `after` and `before` is set. */
  readonly after?: string;
  readonly before?: string;
}

/** The columns that a summary may contain. The keys are fields. */
export interface SummaryColumns {
  readonly facetable: Readonly<Record<string, QueryColumn>>;
  readonly groupable: Readonly<Record<string, QueryColumn>>;
  readonly aggregatable: Readonly<Record<string, QueryColumn>>;
}

/** The columns of a list. Adapters pass them to `resolveQuery`. */
export interface QuerySpec {
  /** Columns that clients may filter by. The keys are fields. */
  readonly columns: Readonly<Record<string, QueryColumn>>;
  /** Columns that clients may sort by. The keys are fields. @default `columns` */
  readonly sortable?: Readonly<Record<string, QueryColumn>>;
  /** Columns of type `string` that `q` searches. @default none: `q` is ignored */
  readonly search?: readonly QueryColumn[];
  /** Added to the end of each order, so that pages do not skip or repeat rows. @default none */
  readonly primaryKey?: readonly QueryColumn[];
  /**
   * Position of rows with NULL. It is the same in ascending and descending order.
   * @default 'last'
   */
  readonly nulls?: NullOrder;
  /**
   * Fields that `fields` may request. The values are names in the database.
   * @default none: `fields` is ignored
   */
  readonly selectable?: Readonly<Record<string, string>> | undefined;
  /** Identifies the list. A cursor of another list is rejected. @default none */
  readonly list?: string;
  /** The columns of `facets`, `group` and `aggregate`. @default none: they are ignored */
  readonly summary?: SummaryColumns | undefined;
}
