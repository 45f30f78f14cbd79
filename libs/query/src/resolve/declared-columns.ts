import type { ColumnQueryFieldConfig } from '../config/field-config.js';
import { allowListsOf } from '../config/allow-lists.js';
import { nullOrderOf } from '../config/null-order.js';
import { cacheByObject } from '../config/cache-by-object.js';
import { checkColumnNames, checkRelationPath } from '../config/config-names.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import { checkedSpec } from './check-spec.js';
import type { ColumnType, QueryColumn } from './column.js';
import { checkedNesting } from './json-column.js';
import { type DeclaredRelations, relationOfField, relationsOf } from './declared-relations.js';
import { pathOfColumn, type QueryRelation } from './relation.js';
import type { QuerySpec } from './resolved-query.js';
import { selectableNames } from './selected-fields.js';
import { summaryColumnsOf } from './summary-columns.js';

/**
 * A declared column: its type, or an object with its type and other properties.
 * @default `name`: the name of the field
 */
export type ColumnDeclaration =
  | Exclude<ColumnType, 'enum'>
  | (Omit<QueryColumn, 'name' | 'relation'> & {
      readonly name?: string;
      /**
       * The relation that contains the column.
       * @default the part of the field before the last dot, if it is a relation
       */
      readonly relation?: string;
    });

/** A column of the row itself. */
type OwnColumn = Omit<QueryColumn, 'relation'>;

/**
 * The config of adapters without column metadata: Kysely, Knex, Prisma and memory. `parseQuery`
 * also accepts it.
 */
export interface DeclaredQueryConfig extends ColumnQueryFieldConfig<ColumnDeclaration> {
  /**
   * Fields that `fields` may request. They are fields of `columns` or `sortable`, or other columns.
   * @default none
   */
  readonly selectable?: readonly string[] | undefined;
  /**
   * Columns that `q` searches. They have the type `string`, and are fields of `columns` or other
   * columns.
   * @default none: `q` is ignored
   */
  readonly searchColumns?: readonly (string | OwnColumn)[] | undefined;
  /**
   * Sort keys that are added to the end of each order. They are fields of `columns` or `sortable`,
   * or other columns.
   * @default none: pages may repeat rows, and cursors are not supported
   */
  readonly primaryKey?: string | readonly (string | OwnColumn)[] | undefined;
}

/** The config of adapters that support relations. */
export interface RelatedQueryConfig extends DeclaredQueryConfig {
  /**
   * The relations that fields use. The keys are paths: `author` starts from the row, and
   * `author.team` from the author.
   * @default none
   */
  readonly relations?: DeclaredRelations | undefined;
}

/** Cached by identity. @throws InvalidQueryConfigError */
export const declaredSpec = cacheByObject((config: RelatedQueryConfig): QuerySpec => {
  allowListsOf(config);
  const relations = relationsOf(config.relations);
  const columns = columnsOf(config.columns, relations);
  const sortable = config.sortable === undefined ? columns : columnsOf(config.sortable, relations);
  const known = { ...sortable, ...columns };
  const { primaryKey = [], searchColumns = [] } = config;
  const spec = checkedSpec({
    columns,
    sortable,
    search: searchColumns.map((column) => namedColumn(column, known, 'searchColumns')),
    primaryKey: [primaryKey].flat().map((column) => namedColumn(column, known, 'primaryKey')),
    nulls: nullOrderOf(config),
    list: listOf(known),
  });
  const selectable = selectableNames(config.selectable, spec);
  return { ...spec, selectable, summary: summaryColumnsOf(config, spec) };
});

/** The columns identify the list, because the config contains no table name. */
function listOf(columns: Readonly<Record<string, QueryColumn>>): string {
  return [...new Set(Object.values(columns).map(pathOfColumn))].toSorted().join();
}

function columnsOf(
  declared: Readonly<Record<string, ColumnDeclaration>>,
  relations: ReadonlyMap<string, QueryRelation>,
): Record<string, QueryColumn> {
  return Object.fromEntries(
    Object.entries(declared).map(([field, given]) => {
      checkColumnNames(`columns.${field}`, given);
      const { relation, ...column } = typeof given === 'string' ? { type: given } : { ...given };
      if (column.name === undefined && relation === undefined) {
        checkRelationPath(field, [...relations.keys()]);
      }
      return [field, checkedNesting({ ...relationOfField(field, relation, relations), ...column })];
    }),
  );
}

function namedColumn(
  column: string | OwnColumn,
  known: Readonly<Record<string, QueryColumn>>,
  list: string,
): QueryColumn {
  if (typeof column === 'object' && column !== null) {
    checkColumnNames(list, column);
    return checkedNesting(column);
  }
  if (Object.hasOwn(known, column)) return known[column] as QueryColumn;
  throw new InvalidQueryConfigError(
    `\`${list}\` contains "${column}", but neither \`columns\` nor \`sortable\` declares it.`,
    `Write { name: '${column}', type: 'string' } instead of '${column}'.`,
  );
}
