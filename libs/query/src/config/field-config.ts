/** Allow-lists by name. A missing list allows nothing. */
export interface StringQueryFieldConfig {
  readonly filterable?: readonly string[] | undefined;
  readonly sortable?: readonly string[] | undefined;
  /** Fields that `q` searches; read by adapters, not by the parser. */
  readonly searchable?: readonly string[] | undefined;
}

/** Allow-lists as records of what an ORM calls a column. Only the keys matter to the parser. */
export interface ColumnQueryFieldConfig<Column = unknown> {
  /** Filterable fields. */
  readonly columns: Readonly<Record<string, Column>>;
  /** Sortable fields. @default the keys of `columns` */
  readonly sortable?: Readonly<Record<string, Column>> | undefined;
  /** Columns that `q` searches; read by adapters, not by the parser. */
  readonly searchColumns?: readonly unknown[] | undefined;
}

/** What a list endpoint lets its callers filter and sort by, in either form. */
export type QueryFieldConfig = StringQueryFieldConfig | ColumnQueryFieldConfig;

/** The names a config lets `filter` use, as literals where the config has them. */
export type FilterableField<C extends QueryFieldConfig> = C extends { readonly columns: infer R }
  ? keyof R & string
  : NamesOf<C, 'filterable'>;

/** The names a config lets `sort` use, as literals where the config has them. */
export type SortableField<C extends QueryFieldConfig> = C extends { readonly columns: infer R }
  ? 'sortable' extends keyof C
    ? C['sortable'] extends object
      ? keyof C['sortable'] & string
      : keyof R & string
    : keyof R & string
  : NamesOf<C, 'sortable'>;

type NamesOf<C, List extends string> = List extends keyof C
  ? NonNullable<C[List]> extends readonly (infer Name extends string)[]
    ? Name
    : never
  : never;
