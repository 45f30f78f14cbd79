import { cacheByObject } from '../config/cache-by-object.js';
import type { ColumnQueryFieldConfig, StringQueryFieldConfig } from '../config/field-config.js';
import { allowListsOf } from '../config/allow-lists.js';
import { nullOrderOf } from '../config/null-order.js';
import { checkColumnNames } from '../config/config-names.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { ColumnType, QueryColumn, TypeOfColumn } from './column.js';
import { checkedSpec } from './check-spec.js';
import { checkedNesting } from './json-column.js';
import type { QuerySpec } from './resolved-query.js';
import { relatedMember, selectableNames } from './selected-fields.js';
import { summaryColumnsOf } from './summary-columns.js';

/**
 * The path of a property, or an object. Use an object if the ORM's metadata is incomplete. In an
 * object, `name` is the path. It defaults to the field.
 */
export type PropertyDeclaration = string | Partial<Omit<QueryColumn, 'relation'>>;

/**
 * Fields with another name than the path of the property: `columns: { city: 'address.city' }`.
 */
export interface PropertyQueryConfig extends ColumnQueryFieldConfig<PropertyDeclaration> {
  /**
   * Fields that `fields` may request. They are fields of `columns` or `sortable`, or property
   * paths.
   * @default none
   */
  readonly selectable?: readonly string[] | undefined;
  /** Property paths that `q` searches. @default none: `q` is ignored */
  readonly searchColumns?: readonly string[] | undefined;
}

/**
 * The config of adapters that read column metadata. It contains property paths. `parseQuery` also
 * accepts it.
 */
export type DerivedQueryConfig = StringQueryFieldConfig | PropertyQueryConfig;

/** `type` is undefined if no filter supports the property, such as JSON, lists and binary data. */
export type TypeOfProperty = Omit<TypeOfColumn, 'type'> & { readonly type: ColumnType | undefined };

/** A property in the metadata of an ORM. */
export interface DerivedColumn extends Omit<QueryColumn, 'type'> {
  /** Undefined if no filter supports the type. */
  readonly type: ColumnType | undefined;
  /** The name of the type in the ORM, for messages. */
  readonly native: string;
}

/** The metadata of an entity or model. */
export interface ColumnSource {
  /** A label such as `entity Task`. It is used in messages and in the signature of cursors. */
  readonly label: string;
  readonly primaryKey: readonly string[];
  propertyOf(path: string): DerivedColumn | undefined;
}

/** Specs are cached by identity. The function throws InvalidQueryConfigError. */
export function derivedSpecs(source: ColumnSource): (config: DerivedQueryConfig) => QuerySpec {
  return cacheByObject((config: DerivedQueryConfig) => derivedSpec(config, source));
}

function derivedSpec(config: DerivedQueryConfig, source: ColumnSource): QuerySpec {
  const columnsOf = (declared: Readonly<Record<string, PropertyDeclaration>>) =>
    Object.fromEntries(
      Object.entries(declared).map(([field, column]) => [field, columnOf(column, source, field)]),
    );
  if ('relations' in config) {
    throw new InvalidQueryConfigError(
      `The query config of ${source.label} contains \`relations\`, ` +
        'but the adapter reads relations from the ORM.',
      'Remove `relations`, and use paths such as author.name as fields.',
    );
  }
  allowListsOf(config);
  const listed = 'columns' in config ? config : recordsOf(config);
  const spec = checkedSpec({
    columns: columnsOf(listed.columns),
    sortable: columnsOf(listed.sortable ?? listed.columns),
    search: (listed.searchColumns ?? []).map((path) => columnOf(path, source)),
    primaryKey: source.primaryKey.map((path) => columnOf(path, source)),
    nulls: nullOrderOf(config),
    list: source.label,
  });
  const selectable = selectableNames(config.selectable, spec);
  for (const path of Object.values(selectable ?? {})) {
    if (propertyOf(path, source).relation) throw relatedMember(path);
  }
  const summary = summaryColumnsOf(config, spec, (path) => columnOf(path, source));
  return { ...spec, selectable, summary };
}

function recordsOf(config: StringQueryFieldConfig): PropertyQueryConfig {
  const { filterable = [], sortable = [], searchable } = config;
  const toEntry = (path: string): [string, string] => [path, path];
  return {
    columns: Object.fromEntries(filterable.map(toEntry)),
    sortable: Object.fromEntries(sortable.map(toEntry)),
    searchColumns: searchable,
  };
}

function columnOf(declared: PropertyDeclaration, source: ColumnSource, field = ''): QueryColumn {
  if (typeof declared !== 'string') checkColumnNames('columns', declared);
  const given = typeof declared === 'string' ? { name: declared } : declared;
  const { name = field, ...declaration } = given;
  const found = propertyOf(name, source);
  const { native, type = (declaration as { type?: ColumnType }).type, ...derived } = found;
  if (declaration.array === true && declaration.json === undefined && found.array !== true) {
    throw new InvalidQueryConfigError(
      `"${name}" of ${source.label} is declared as an array, but has the type ${native}.`,
      `Use a PostgreSQL array, or a JSON column with { array: true, json: [] }.`,
    );
  }
  if (type !== undefined) return checkedNesting({ ...derived, type, ...declaration });
  throw new InvalidQueryConfigError(
    `"${name}" of ${source.label} has the type ${native}, which cannot be filtered or sorted.`,
    'Remove it from the query config, or declare its type in `columns`: ' +
      `columns: { '${name}': { name: '${name}', type: 'string' } }.`,
  );
}

/** @throws InvalidQueryConfigError if the path is not a column */
function propertyOf(path: string, source: ColumnSource): DerivedColumn {
  const found = source.propertyOf(path);
  if (found !== undefined) return found;
  throw new InvalidQueryConfigError(
    `"${path}" is not a column of ${source.label}.`,
    'Use a property that is stored in a column. ' +
      'For a nested property, use its path, such as address.city. ' +
      'For a related entity, use its key, such as author.id.',
  );
}
