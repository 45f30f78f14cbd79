import type { NullOrder } from './null-order.js';

/** The default order of rows. */
interface OrderConfig {
  /**
   * The order of a query without a valid `sort`.
   * @default the primary key, if the adapter has one
   */
  readonly defaultSort?: SortText | readonly SortText[] | undefined;
  /**
   * Position of rows with NULL, in ascending and descending order. Only adapters read it.
   * @default 'last'
   */
  readonly nulls?: NullOrder | undefined;
}

/** The fields that clients may count, group by and aggregate. See `summarize` of the adapters. */
interface SummaryConfig {
  /** Fields whose values `facets` may count. @default none: `facets` is ignored */
  readonly facetable?: readonly string[] | undefined;
  /** Fields that `group` may group by. @default none: `group` is ignored */
  readonly groupable?: readonly string[] | undefined;
  /**
   * Fields that `aggregate` may sum and compare. If the list is empty, clients may only count rows.
   * @default none: `aggregate` is ignored
   */
  readonly aggregatable?: readonly string[] | undefined;
  /**
   * The IANA time zone of days, weeks, months and years. Clients may choose another time zone with
   * `timezone`.
   * @default 'UTC'
   */
  readonly timeZone?: string | undefined;
}

/** Allow-lists of field names. If a list is missing, no field is allowed. */
export interface StringQueryFieldConfig extends OrderConfig, SummaryConfig {
  /** Fields that `filter` may use. @default none */
  readonly filterable?: readonly string[] | undefined;
  /** Fields that `sort` may use. @default none */
  readonly sortable?: readonly string[] | undefined;
  /** Fields of a row that `fields` may request. @default none: `fields` is ignored */
  readonly selectable?: readonly string[] | undefined;
  /** Fields that `q` searches. Only adapters read it. @default none */
  readonly searchable?: readonly string[] | undefined;
}

/**
 * Allow-lists as objects. The keys are field names, and the values are columns of an ORM. The
 * parser reads only the keys.
 */
export interface ColumnQueryFieldConfig<Column = unknown> extends OrderConfig, SummaryConfig {
  /** Fields that `filter` may use. */
  readonly columns: Readonly<Record<string, Column>>;
  /** Fields that `sort` may use. @default `columns` */
  readonly sortable?: Readonly<Record<string, Column>> | undefined;
  /**
   * Fields of a row that `fields` may request. The value is a list of names, or for Drizzle a
   * record of columns.
   * @default none: `fields` is ignored
   */
  readonly selectable?: readonly string[] | Readonly<Record<string, unknown>> | undefined;
  /** Columns that `q` searches. Only adapters read it. @default none */
  readonly searchColumns?: readonly unknown[] | undefined;
}

/** The fields that clients may filter by, sort by and request. The config has one of two forms. */
export type QueryFieldConfig = StringQueryFieldConfig | ColumnQueryFieldConfig;

/** A sort key as in the query string: `createdAt:desc`. */
export type SortText<Field extends string = string> = `${Field}:asc` | `${Field}:desc`;

/** The fields that a config allows in `filter`, as literal types if the config is `as const`. */
export type FilterableField<C extends QueryFieldConfig> = C extends { readonly columns: infer R }
  ? keyof R & string
  : NamesOf<C, 'filterable'>;

/** The fields that a config allows in `sort`, as literal types if the config is `as const`. */
export type SortableField<C extends QueryFieldConfig> = C extends { readonly columns: infer R }
  ? 'sortable' extends keyof C
    ? C['sortable'] extends object
      ? keyof C['sortable'] & string
      : keyof R & string
    : keyof R & string
  : NamesOf<C, 'sortable'>;

/** The fields that a config allows in `fields`, as literal types if the config is `as const`. */
export type SelectableField<C extends QueryFieldConfig> = C extends {
  readonly selectable?: infer List;
}
  ? MembersOf<List>
  : never;

/** A row. If clients may choose fields, every property is optional. */
export type RowOf<C, Row> = C extends { readonly selectable: object } ? Partial<Row> : Row;

type MembersOf<List> = List extends readonly (infer Name extends string)[]
  ? Name
  : List extends object
    ? keyof List & string
    : never;

type NamesOf<C, List extends string> = List extends keyof C
  ? NonNullable<C[List]> extends readonly (infer Name extends string)[]
    ? Name
    : never
  : never;
