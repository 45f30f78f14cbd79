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
   * The raw string after the second colon, not empty. `splitList` splits the lists of `in`, `nin`
   * and `between`.
   */
  readonly value: string;
}

/** A condition of `where`, or a group of them. Groups are not empty. */
export type WhereNode<Field extends string = string, OptIn extends OptInOperator = never> =
  | FilterItem<Field, OptIn>
  | { readonly and: readonly WhereNode<Field, OptIn>[] }
  | { readonly or: readonly WhereNode<Field, OptIn>[] }
  | { readonly not: WhereNode<Field, OptIn> };

/** One `sort=field:direction`. `sort` lists the strongest key first. */
export interface SortItem<Field extends string = string> {
  readonly field: Field;
  readonly direction: 'asc' | 'desc';
}

/** The requested page. `page` and `limit` are whole numbers from 1, `offset` is `(page - 1) * limit`. */
export interface PaginationParams {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

/** A parsed query string: only allowed fields, within the limits. Values are still strings. */
export type ParsedQuery<
  Config extends QueryFieldConfig = QueryFieldConfig,
  OptIn extends OptInOperator = never,
> = ParsedFields<FilterableField<Config>, SortableField<Config>, OptIn, SelectableField<Config>>;

/**
 * `ParsedQuery` with the names of its fields as type arguments. A query with fewer fields is
 * assignable to a query with more fields.
 */
export interface ParsedFields<
  Filterable extends string,
  Sortable extends string,
  OptIn extends OptInOperator,
  Selectable extends string = never,
> {
  /** Joined by AND. */
  readonly filters: FilterItem<Filterable, OptIn>[];
  /** Strongest key first; each field occurs once. */
  readonly sort: SortItem<Sortable>[];
  readonly pagination: PaginationParams;
  /** The value of `q`. Empty without `q`. */
  readonly search: string;
  /**
   * Joined to the filters by AND. Several `where` parameters are joined by AND. Missing if the
   * option `where` is off, and for a query without `where`.
   */
  readonly where?: WhereNode<Filterable, OptIn>;
  /** The cursor of the page. Missing if the option `cursors` is off, and for the first page. */
  readonly after?: string;
  /** The cursor of the row after the page, for the previous page. Never together with `after`. */
  readonly before?: string;
  /**
   * The requested fields of a row, each once. Adapters add the key. Missing if the config has no
   * `selectable`, and for a query without `fields`.
   */
  readonly fields?: Selectable[];
  /**
   * The requested `facets`, `aggregate` and `group`, for `summarize` of an adapter. Missing if the
   * config has no list for these parameters, and for a query without these parameters.
   */
  readonly summary?: ParsedSummary;
}

/**
 * A parsed query of any config, including opt-in operators. Accepted by adapters and `paginate`.
 */
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
