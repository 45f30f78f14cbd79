import { InvalidQueryConfigError } from '../query.errors.js';
import type { RelationDeclaration } from '../resolve/declared-relations.js';
import { aliasOf, type PlannedJoin, planJoins } from '../shared-sql/sql-join.js';
import {
  type AnyColumn,
  aliasedTableColumn,
  Column,
  getTableColumns,
  getTableName,
  is,
  type SQL,
  sql,
  type SQLWrapper,
  Table,
} from './drizzle-orm.js';

/** A table, and the columns by which its rows are joined. */
export interface DrizzleJoin {
  /**
   * The table of the related rows. Do not pass an alias of the table: each relation gets its own
   * alias.
   */
  readonly table: Table;
  /**
   * Pairs of equal columns: a property of this table, and the column that must have the same value.
   * Example: `{ id: tasks.authorId }`.
   */
  readonly on: Readonly<Record<string, AnyColumn>>;
}

/** A relation and its join: `{ table: users, on: { id: tasks.authorId } }`. */
export interface DrizzleRelation extends RelationDeclaration, DrizzleJoin {
  /**
   * The junction table of a many-to-many relation. If you set it, `on` of the relation compares
   * columns of the related table with columns of the junction table.
   */
  readonly through?: DrizzleJoin | undefined;
}

export type DrizzleRelations = Readonly<Record<string, DrizzleRelation>>;

/** The tables between a row and its related rows, for an EXISTS. */
export interface RelatedTables {
  readonly from: SQL;
  /** The same tables for a join. Several tables are in parentheses. */
  readonly joined: SQL;
  /** Pairs of equal columns. */
  readonly on: readonly SQL[];
  /** The alias of the table of the related rows. */
  readonly alias: string;
}

/** The keys are the paths. @throws InvalidQueryConfigError for a relation without a join */
export function relatedTablesOf(
  relations: DrizzleRelations | undefined = {},
): ReadonlyMap<string, RelatedTables> {
  return new Map(Object.keys(relations).map((path) => [path, tablesOf(path, relations)]));
}

/** Returns a column of a related table in the form that Drizzle's operators accept. */
export function aliased(column: Column, alias: string): Column {
  return aliasedTableColumn(column, alias);
}

/**
 * Hides related columns from relational queries. Otherwise, Drizzle would write the alias of the
 * listed table before every column in a condition.
 */
export function hidden(inner: SQL | Column): SQLWrapper {
  return { getSQL: () => sql`${inner}`, shouldOmitSQLParens: () => true };
}

function tablesOf(path: string, relations: DrizzleRelations): RelatedTables {
  const relation = relations[path] as DrizzleRelation;
  const joins = planJoins<DrizzleJoin, Table | undefined>(
    path,
    relation,
    (from) => relations[from]?.table,
  );
  const from = sql.join(
    joins.map((join) => fromOf(path, join)),
    sql` cross join `,
  );
  return {
    from,
    joined: joins.length > 1 ? sql`(${from})` : from,
    on: joins.flatMap((join) => pairsOf(path, join)),
    alias: aliasOf(path),
  };
}

type Join = PlannedJoin<DrizzleJoin, Table | undefined>;

function fromOf(path: string, { join: { table }, alias }: Join): SQL {
  if (isAlias(table)) {
    throw new InvalidQueryConfigError(
      `The \`table\` of relation "${path}" is an alias.`,
      'Use the table itself and its columns. Each relation gets its own alias.',
    );
  }
  if (is(table, Table)) return sql`${table} as ${sql.identifier(alias)}`;
  throw new InvalidQueryConfigError(
    `Relation "${path}" has no \`table\`.`,
    'Write its join, such as { table: users, on: { id: tasks.authorId } }.',
  );
}

/** Each column of an alias refers to a different table object. */
function isAlias(table: unknown): boolean {
  if (!is(table, Table)) return false;
  return Object.values<AnyColumn>(getTableColumns(table)).some((column) => column.table !== table);
}

function pairsOf(path: string, { join, alias, outer }: Join): SQL[] {
  const { table, on = {} }: Pick<DrizzleJoin, 'table'> & Partial<DrizzleJoin> = join;
  const columns: Readonly<Record<string, AnyColumn>> = getTableColumns(table);
  const pairs = Object.entries(on).map(([property, equals]) => {
    const own = columns[property];
    if (own === undefined || !isColumnOf(equals, outer)) throw wrongPair(path, property, outer);
    // Columns of the listed rows stay visible, because relational queries give the listed table an
    // alias.
    const outside = outer === undefined ? equals : hidden(aliased(equals, outer.alias));
    return sql`${hidden(aliased(own, alias))} = ${outside}`;
  });
  if (pairs.length > 0) return pairs;
  throw new InvalidQueryConfigError(
    `Relation "${path}" has no columns in \`on\`.`,
    'Write its join, such as { table: users, on: { id: tasks.authorId } }.',
  );
}

function isColumnOf(column: unknown, outer: Join['outer']): column is Column {
  return is(column, Column) && (outer === undefined || column.table === outer.table);
}

function wrongPair(path: string, property: string, outer: Join['outer']): Error {
  const table = is(outer?.table, Table) ? getTableName(outer.table) : undefined;
  return new InvalidQueryConfigError(
    `The entry "${property}" in \`on\` of relation "${path}" is not a pair of columns.`,
    'Map a property of the related table to a column ' +
      (table === undefined ? 'of the listed table.' : `of the table "${table}".`),
  );
}
