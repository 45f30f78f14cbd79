import type {
  FilterableField,
  QueryFieldConfig,
  SelectableField,
  SortableField,
} from '../config/field-config.js';
import type { FilterOperator, OptInOperator } from '../config/operators.js';
import type { ParsedSummary } from './parsed-summary.js';

/** One `filter=field:operator:value`. */
export interface FilterItem<Field extends string = string, OptIn extends OptInOperator = never> {
  readonly field: Field;
  readonly operator: FilterOperator | OptIn;
  /**
   * The text after the second colon. It is not empty. For `in`, `nin` and `between`, use
   * `splitList` to get the items.
   */
  readonly value: string;
}

/** A condition of `where`, or a group of them. Groups are not empty. */
export type WhereNode<Field extends string = string, OptIn extends OptInOperator = never> =
  | FilterItem<Field, OptIn>
  | { readonly and: readonly WhereNode<Field, OptIn>[] }
  | { readonly or: readonly WhereNode<Field, OptIn>[] }
  | { readonly not: WhereNode<Field, OptIn> };

/** One `sort=field:direction`. In `sort`, the first key is the most important. */
export interface SortItem<Field extends string = string> {
  readonly field: Field;
  readonly direction: 'asc' | 'desc';
}

/**
 * The requested page. `page` and `limit` are whole numbers of 1 or more. `offset` is `(page - 1) *
 * limit`.
 */
export interface PaginationParams {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

/**
 * A parsed query string. It contains only allowed fields, and is within the limits. Values are
 * still strings.
 */
export type ParsedQuery<
  Config extends QueryFieldConfig = QueryFieldConfig,
  OptIn extends OptInOperator = never,
> = ParsedFields<FilterableField<Config>, SortableField<Config>, OptIn, SelectableField<Config>>;

/**
 * Like `ParsedQuery`, but the type arguments are field names. A query with fewer fields can be
 * assigned to a query with more fields.
 */
export interface ParsedFields<
  Filterable extends string,
  Sortable extends string,
  OptIn extends OptInOperator,
  Selectable extends string = never,
> {
  /** Joined by AND. */
  readonly filters: FilterItem<Filterable, OptIn>[];
  /** The first key is the most important. Each field occurs once. */
  readonly sort: SortItem<Sortable>[];
  readonly pagination: PaginationParams;
  /** The value of `q`. Empty without `q`. */
  readonly search: string;
  /**
   * Combined with the filters by AND. Several `where` parameters are also combined by AND. Missing
   * if the option `where` is off, or if the query has no `where`.
   */
  readonly where?: WhereNode<Filterable, OptIn>;
  /**
   * The page starts after the row of this cursor. Missing if the option `cursors` is off, and for
   * the first page.
   */
  readonly after?: string;
  /** The page ends before the row of this cursor. It is never set together with `after`. */
  readonly before?: string;
  /**
   * The requested fields of a row, without duplicates. Adapters add the primary key. Missing if the
   * config has no `selectable`, or if the query has no `fields`.
   */
  readonly fields?: Selectable[];
  /**
   * The requested `facets`, `aggregate` and `group`, for `summarize` of an adapter. Missing if the
   * config does not enable these parameters, or if the query has none of them.
   */
  readonly summary?: ParsedSummary;
}

/** A parsed query with any config and any operators. Adapters and `paginate` accept it. */
export interface AnyParsedQuery {
  readonly filters: readonly FilterItem<string, OptInOperator>[];
  readonly sort: readonly SortItem[];
  readonly pagination: PaginationParams;
  readonly search: string;
  readonly where?: WhereNode<string, OptInOperator>;
  readonly after?: string;
  readonly before?: string;
  readonly fields?: readonly string[];
  readonly summary?: ParsedSummary;
}
