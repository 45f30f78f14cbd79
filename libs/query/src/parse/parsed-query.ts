import type { FilterableField, QueryFieldConfig, SortableField } from '../config/field-config.js';
import type { FilterOperator, OptInOperator } from '../config/operators.js';

/** One `filter=field:operator:value`. */
export interface FilterItem<Field extends string = string, OptIn extends OptInOperator = never> {
  readonly field: Field;
  readonly operator: FilterOperator | OptIn;
  /** The raw text behind the second colon; lists (`in`, `between`) are taken apart by `splitList`. */
  readonly value: string;
}

/** One `sort=field:direction`. */
export interface SortItem<Field extends string = string> {
  readonly field: Field;
  readonly direction: 'asc' | 'desc';
}

/** Which rows of the answer: `offset = (page - 1) * limit`. */
export interface PaginationParams {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

/** A query string as plain data: allowed, bounded, not yet typed. Its fields are the names of the config. */
export type ParsedQuery<
  Config extends QueryFieldConfig = QueryFieldConfig,
  OptIn extends OptInOperator = never,
> = ParsedFields<FilterableField<Config>, SortableField<Config>, OptIn>;

/** `ParsedQuery` by its field names: fewer names fit where more are expected. */
export interface ParsedFields<
  Filterable extends string,
  Sortable extends string,
  OptIn extends OptInOperator,
> {
  /** All of them have to hold. */
  readonly filters: FilterItem<Filterable, OptIn>[];
  /** First is strongest; no field twice. */
  readonly sort: SortItem<Sortable>[];
  readonly pagination: PaginationParams;
  /** `''` without `q`. */
  readonly search: string;
}

/** A parsed query of any config, opt-in operators included: what later stages take. */
export interface AnyParsedQuery {
  readonly filters: readonly FilterItem<string, OptInOperator>[];
  readonly sort: readonly SortItem[];
  readonly pagination: PaginationParams;
  readonly search: string;
}
