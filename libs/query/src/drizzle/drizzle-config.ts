import {
  type AnyColumn,
  getTableColumns,
  getTableName,
  getTableUniqueName,
  is,
  type SQL,
  Table,
} from './drizzle-orm.js';
import type { ColumnQueryFieldConfig } from '../config/field-config.js';
import { allowListsOf } from '../config/allow-lists.js';
import { nullOrderOf } from '../config/null-order.js';
import { cacheByObject } from '../config/cache-by-object.js';
import { type SearchHook } from '../config/search-hook.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import { checkedSpec } from '../resolve/check-spec.js';
import { relationOfField, relationsOf } from '../resolve/declared-relations.js';
import { pathOfRelation } from '../resolve/relation.js';
import type { QuerySpec } from '../resolve/resolved-query.js';
import { summaryColumnsOf } from '../resolve/summary-columns.js';
import { kindOf } from './derived-type.js';
import { columnOf, type DrizzleColumn, type SourcedColumn } from './drizzle-column.js';
import { type DrizzleMember, selectableMembers } from './drizzle-member.js';
import type { Scope } from './render-sql.js';
import { type DrizzleRelations, relatedTablesOf } from './related-tables.js';

/** Maps fields to Drizzle columns. Also accepted by `parseQuery`. */
export interface DrizzleQueryConfig extends ColumnQueryFieldConfig<DrizzleColumn>, SearchHook<SQL> {
  /**
   * Fields that `fields` may request, in the format of `db.select()`. The values are columns,
   * `sql`, or objects of columns and `sql`. The primary key is added.
   * @default none: `fields` is ignored
   */
  readonly selectable?: Readonly<Record<string, DrizzleMember>> | undefined;
  /** Text columns that `q` searches. @default none: `q` is ignored */
  readonly searchColumns?: readonly DrizzleColumn[] | undefined;
  /**
   * Sort keys that are added to the end of each order. Required for cursors if the primary key has
   * several columns.
   * @default the columns marked `.primaryKey()` in the tables
   */
  readonly primaryKey?: DrizzleColumn | readonly DrizzleColumn[] | undefined;
  /**
   * The relations of the fields in `columns`, with their joins. The keys are paths: `author` starts
   * from the row, and `author.team` from the author.
   * @default none
   */
  readonly relations?: DrizzleRelations | undefined;
}

interface DrizzleSpec extends Scope {
  /** Each column is a `SourcedColumn`. */
  readonly spec: QuerySpec;
}

/** Cached by identity. @throws InvalidQueryConfigError */
export const drizzleSpecOf = cacheByObject((config: DrizzleQueryConfig): DrizzleSpec => {
  allowListsOf(config);
  const relations = relationsOf(config.relations);
  const related = relatedTablesOf(config.relations);
  const columnIn = (path: string, given: DrizzleColumn, field = path): SourcedColumn => {
    const column = columnOf(
      path,
      given,
      (named) => relationOfField(field, named, relations).relation,
    );
    checkTable(path, column, config.relations);
    return column;
  };
  const columns = mapped(config.columns, (field, column) =>
    columnIn(`columns.${field}`, column, field),
  );
  const sortable =
    config.sortable === undefined
      ? columns
      : mapped(config.sortable, (field, column) => columnIn(`sortable.${field}`, column));
  const search = (config.searchColumns ?? []).map((column) => columnIn('searchColumns', column));
  const known = [...Object.values({ ...sortable, ...columns }), ...search];
  const own = known.filter(({ relation }) => relation === undefined);
  const { primaryKey = primaryColumnsOf(own) } = config;
  const keys = [primaryKey].flat().map((column) => columnIn('primaryKey', column));
  const spec = checkedSpec({
    columns,
    sortable,
    search,
    primaryKey: keys,
    nulls: nullOrderOf(config),
    list: tablesOf(own).map(getTableUniqueName).toSorted().join(),
    selectable: selectableMembers(config.selectable, keys),
  });
  refuseRelatedKeys(sortable);
  const [first] = [...known, ...keys];
  const [engine] = first ? kindOf(first.source) : [];
  return { spec: { ...spec, summary: summaryColumnsOf(config, spec) }, related, engine };
});

function mapped(
  given: Readonly<Record<string, DrizzleColumn>>,
  columnOfField: (field: string, column: DrizzleColumn) => SourcedColumn,
): Record<string, SourcedColumn> {
  return Object.fromEntries(
    Object.entries(given).map(([field, column]) => [field, columnOfField(field, column)]),
  );
}

function checkTable(
  path: string,
  { relation, source }: SourcedColumn,
  declared: DrizzleRelations = {},
): void {
  const name = relation && pathOfRelation(relation);
  if (name === undefined || declared[name]?.table === source.table) return;
  throw new InvalidQueryConfigError(
    `\`${path}\` of a Drizzle query config is a column of the table ` +
      `"${getTableName(source.table)}", but must be a column of the relation "${name}".`,
    `Use a column of the table that this relation joins.`,
  );
}

/**
 * Rejects sort keys of related rows. When our order is added, the caller's `select()` has already
 * joined its tables. We therefore cannot add a join. A relational query has no joins.
 */
function refuseRelatedKeys(sortable: Readonly<Record<string, SourcedColumn>>): void {
  for (const [field, { relation, source }] of Object.entries(sortable)) {
    if (relation === undefined) continue;
    throw new InvalidQueryConfigError(
      `Field "${field}" is sortable, but the Drizzle adapter cannot sort by a related row.`,
      `Set \`sortable\` to the other fields. To sort by this field, join the table ` +
        `"${getTableName(source.table)}" in your query, and add ` +
        `{ '${field}': { column, nullable: true } } to \`sortable\`.`,
    );
  }
}

function primaryColumnsOf(columns: readonly SourcedColumn[]): AnyColumn[] {
  return tablesOf(columns).flatMap((table) =>
    Object.values<AnyColumn>(getTableColumns(table)).filter(({ primary }) => primary),
  );
}

function tablesOf(columns: readonly SourcedColumn[]): Table[] {
  const tables = new Set(columns.map(({ source }) => source.table));
  return [...tables].filter((table) => is(table, Table));
}
