import { createHash } from 'node:crypto';
import { cacheByObject } from '../config/cache-by-object.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import type { DeclaredQueryConfig } from '../resolve/declared-columns.js';
import type { RelationDeclaration } from '../resolve/declared-relations.js';
import { pathOfRelation, type QueryRelation } from '../resolve/relation.js';

/** A table, and the columns by which its rows are joined. */
export interface SqlJoin {
  /** The table of the related rows. Add its schema if needed. */
  readonly table: string;
  /**
   * Pairs of equal columns. The key is a column of this table. The value is the other column, with
   * its table or alias: `{ id: 'tasks.author_id' }`. If the relation starts from another relation,
   * write the path of that relation instead of the table.
   */
  readonly on: Readonly<Record<string, string>>;
}

/** A relation and its join: `{ table: 'users', on: { id: 'tasks.author_id' } }`. */
export interface SqlRelation extends RelationDeclaration, SqlJoin {
  /**
   * The junction table of a many-to-many relation. If you set it, `on` of the relation compares
   * columns of the related table with columns of the junction table.
   */
  readonly through?: SqlJoin | undefined;
}

export interface JoinStep {
  readonly table: string;
  readonly alias: string;
  /** Pairs of equal columns. */
  readonly on: readonly (readonly [column: string, equals: JoinedColumn])[];
}

/** A column outside the joined table. */
export interface JoinedColumn {
  /**
   * Undefined if the column belongs to the listed rows. The name of the column then contains the
   * table.
   */
  readonly alias?: string;
  readonly column: string;
}

export function refOfJoined({ alias, column }: JoinedColumn): string {
  return alias === undefined ? column : `${alias}.${column}`;
}

/** Returns the tables between a row and its related rows. The nearest table is first. */
export type StepsOf = (relation: QueryRelation) => readonly JoinStep[];

/** Cached by identity. @throws InvalidQueryConfigError if a relation has no join */
const declaredJoinsOf = cacheByObject(
  ({ relations = {} }: Pick<JoinedQueryConfig<unknown>, 'relations'>): StepsOf => {
    const steps = new Map(
      Object.entries(relations).map(([path, relation]) => [path, stepsOf(path, relation)]),
    );
    return (relation) => steps.get(pathOfRelation(relation)) ?? [];
  },
);

function stepsOf(path: string, relation: SqlRelation): readonly JoinStep[] {
  return planJoins(path, relation, (from) => from).map((join) => stepOf(path, join));
}

/** A join, the alias of its table, and the alias of the table to which it is joined. */
export interface PlannedJoin<Join, Table> {
  readonly join: Join;
  readonly alias: string;
  /** Undefined for the table of the listed rows. */
  readonly outer: OuterTable<Table> | undefined;
}

interface OuterTable<Table> {
  readonly table: Table;
  readonly alias: string;
}

/** The nearest join is first. */
export function planJoins<Join extends { readonly table: Table }, Table>(
  path: string,
  { through, ...join }: Join & { readonly through?: Join | undefined },
  tableOf: (path: string) => Table,
): PlannedJoin<Join, Table>[] {
  const from = path.slice(0, Math.max(path.lastIndexOf('.'), 0));
  const outer = from === '' ? undefined : { table: tableOf(from), alias: aliasOf(from) };
  const alias = aliasOf(path);
  const last = join as unknown as Join;
  if (through === undefined) return [{ join: last, alias, outer }];
  const between = { table: through.table, alias: `${alias}__through` };
  return [
    { join: through, alias: between.alias, outer },
    { join: last, alias, outer: between },
  ];
}

// PostgreSQL truncates names to 63 bytes. Suffixes are added to this alias, and two truncated names
// could become equal.
const MAX_ALIAS_BYTES = 40;

/** Has a prefix, because the caller's query may contain the same table. */
export function aliasOf(path: string): string {
  const alias = `fledge_${path.replaceAll('.', '__')}`;
  if (Buffer.byteLength(alias) <= MAX_ALIAS_BYTES) return alias;
  return `fledge_${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
}

function stepOf(path: string, { join, alias, outer }: PlannedJoin<SqlJoin, string>): JoinStep {
  const { table, on }: Partial<SqlJoin> = join;
  const pairs = Object.entries(on ?? {});
  if (typeof table !== 'string' || table === '' || pairs.length === 0) {
    throw new InvalidQueryConfigError(
      `Relation "${path}" has no ${pairs.length === 0 ? 'columns in `on`' : '`table`'}.`,
      `Write its join, such as { table: 'users', on: { id: 'tasks.author_id' } }.`,
    );
  }
  return { table, alias, on: pairs.map(([own, equals]) => [own, columnOf(path, equals, outer)]) };
}

function columnOf(
  path: string,
  equals: unknown,
  outer: OuterTable<string> | undefined,
): JoinedColumn {
  const [, table, column] = /^(.+)\.([^.]+)$/.exec(String(equals)) ?? [];
  if (column !== undefined && (outer === undefined || table === outer.table)) {
    return outer === undefined ? { column: String(equals) } : { alias: outer.alias, column };
  }
  throw new InvalidQueryConfigError(
    `Relation "${path}" joins on "${String(equals)}", ` +
      `which is not a column in the form ${outer?.table ?? 'table'}.column.`,
    `Write '${outer?.table ?? 'tasks'}.${column ?? String(equals)}' instead.`,
  );
}

/** Properties that only configs of Kysely and Knex have. */
export interface JoinedQueryConfig<Encoded> extends DeclaredQueryConfig {
  /**
   * The relations that fields use, with their joins. The keys are paths: `author` starts from the
   * row, and `author.team` from the author.
   * @default none
   */
  readonly relations?: Readonly<Record<string, SqlRelation>> | undefined;
  /**
   * Converts a value for the driver, such as a timestamp that SQLite stores as text.
   * @default returns the value unchanged
   */
  readonly encode?: ((value: ColumnValue, column: QueryColumn) => Encoded) | undefined;
}

/** The parts of the config that SQL needs. */
export interface JoinScope<Encoded> {
  readonly encode: (value: ColumnValue, column: QueryColumn) => Encoded;
  readonly stepsOf: StepsOf;
}

export function readJoinScope<Encoded>(config: JoinedQueryConfig<Encoded>): JoinScope<Encoded> {
  const { encode = (value) => value as Encoded } = config;
  return { encode, stepsOf: declaredJoinsOf(config) };
}
