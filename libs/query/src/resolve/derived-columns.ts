import type { ColumnQueryFieldConfig, StringQueryFieldConfig } from '../config/field-config.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { ColumnType, QueryColumn } from './column.js';
import { checkedSpec } from './declared-columns.js';
import type { QuerySpec } from './resolve-query.js';

/** A property of the backend by its path, or more where the backend's word for it is not enough. */
export type PropertyDeclaration =
  string | ({ readonly name: string } & Partial<Omit<QueryColumn, 'name'>>);

/** Properties under names of their own: `columns: { city: 'address.city' }`. */
export interface PropertyQueryConfig extends ColumnQueryFieldConfig<PropertyDeclaration> {
  /** Property paths. */
  readonly searchColumns?: readonly string[] | undefined;
}

/** The config of adapters whose backend knows its columns: property paths, everything else is derived. */
export type DerivedQueryConfig = StringQueryFieldConfig | PropertyQueryConfig;

/** What a backend says of a property. */
export interface DerivedColumn extends Omit<QueryColumn, 'type'> {
  /** Undefined where no filter could be written for it: JSON, lists, binary. */
  readonly type: ColumnType | undefined;
  /** The backend's own word for the type: for messages. */
  readonly native: string;
}

/** The metadata of an ORM, as far as a query needs it. */
export interface ColumnSource {
  /** For messages, and what cursors are bound to: `entity Task`. */
  readonly label: string;
  readonly primaryKey: readonly string[];
  propertyOf(path: string): DerivedColumn | undefined;
}

/**
 * The spec of a config over what the backend knows. Adapters call it once a config.
 * @throws InvalidQueryConfigError
 */
export function derivedSpec(config: DerivedQueryConfig, source: ColumnSource): QuerySpec {
  const columnsOf = (declared: Readonly<Record<string, PropertyDeclaration>>) =>
    Object.fromEntries(
      Object.entries(declared).map(([field, column]) => [field, columnOf(column, source)]),
    );
  const listed = 'columns' in config ? config : recordsOf(config);
  return checkedSpec({
    columns: columnsOf(listed.columns),
    sortable: columnsOf(listed.sortable ?? listed.columns),
    search: (listed.searchColumns ?? []).map((path) => columnOf(path, source)),
    primaryKey: source.primaryKey.map((path) => columnOf(path, source)),
    list: source.label,
  });
}

function recordsOf(config: StringQueryFieldConfig): PropertyQueryConfig {
  const { filterable = [], sortable = [], searchable } = config;
  const itself = (path: string): [string, string] => [path, path];
  return {
    columns: Object.fromEntries(filterable.map(itself)),
    sortable: Object.fromEntries(sortable.map(itself)),
    searchColumns: searchable,
  };
}

function columnOf(declared: PropertyDeclaration, source: ColumnSource): QueryColumn {
  const { name, ...told } = typeof declared === 'string' ? { name: declared } : declared;
  const found = source.propertyOf(name);
  if (found === undefined) {
    throw new InvalidQueryConfigError(
      `"${name}" is no column of ${source.label}.`,
      `Name a property of it that is stored in a column, as a path where it is nested.`,
    );
  }
  const { native, type = (told as { type?: ColumnType }).type, ...derived } = found;
  if (type !== undefined) return { ...derived, type, ...told };
  throw new InvalidQueryConfigError(
    `"${name}" of ${source.label} is of type ${native}, which no filter fits.`,
    `Take it out of the query config, or say what it holds: { name: '${name}', type: 'string' }.`,
  );
}
