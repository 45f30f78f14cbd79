import { createHash } from 'node:crypto';
import { contentOfConfig } from '../config/config-content.js';
import type { ColumnQueryFieldConfig } from '../config/field-config.js';
import { onceForContent } from '../config/once-for.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { RelationDeclaration } from '../resolve/declared-relations.js';
import { pathOfRelation, type QueryRelation } from '../resolve/relation.js';

/** How the rows of a table are found. */
export interface SqlJoin {
  /** The table of the related rows, with its schema if needed. */
  readonly table: string;
  /**
   * Columns of this table, each with the column that it equals, which is written with its table or its alias in your
   * query, such as `{ id: 'tasks.author_id' }`. In a relation of a relation, the path of the first stands for its table.
   */
  readonly on: Readonly<Record<string, string>>;
}

/** A relation and its join: `{ table: 'users', on: { id: 'tasks.author_id' } }`. */
export interface SqlRelation extends RelationDeclaration, SqlJoin {
  /** The table between the two, of a many-to-many relation. `on` of the relation then names its columns. */
  readonly through?: SqlJoin | undefined;
}

/** A table of a join under its own alias. */
export interface JoinStep {
  readonly table: string;
  readonly alias: string;
  /** Columns of the table, each with the column that it equals. */
  readonly on: readonly (readonly [column: string, equals: JoinedColumn])[];
}

/** A column outside of the table that is joined. */
export interface JoinedColumn {
  /** Undefined for the rows of the list: the column is written with their table. */
  readonly alias?: string;
  readonly column: string;
}

/** The column with its alias or table. */
export function refOfJoined({ alias, column }: JoinedColumn): string {
  return alias === undefined ? column : `${alias}.${column}`;
}

/** The tables from a row to its related rows, the nearest first. */
export type StepsOf = (relation: QueryRelation) => readonly JoinStep[];

/** A config with joins. */
interface JoinedConfig extends ColumnQueryFieldConfig {
  readonly relations?: Readonly<Record<string, SqlRelation>> | undefined;
}

/**
 * The joins of a config, cached by identity and content.
 * @throws InvalidQueryConfigError for a relation without a join
 */
export const declaredJoinsOf = onceForContent(
  contentOfConfig,
  ({ relations = {} }: JoinedConfig): StepsOf => {
    const steps = new Map(
      Object.entries(relations).map(([path, relation]) => [path, stepsOf(path, relation)]),
    );
    return (relation) => steps.get(pathOfRelation(relation)) ?? [];
  },
);

function stepsOf(path: string, { through, ...join }: SqlRelation): readonly JoinStep[] {
  const dot = path.lastIndexOf('.');
  const from = dot === -1 ? undefined : path.slice(0, dot);
  const outer = from === undefined ? undefined : { table: from, alias: aliasOf(from) };
  const alias = aliasOf(path);
  if (through === undefined) return [stepOf(path, join, alias, outer)];
  const between = { table: through.table, alias: `${alias}__through` };
  return [stepOf(path, through, between.alias, outer), stepOf(path, join, alias, between)];
}

// PostgreSQL cuts names to 63 bytes, and suffixes follow. Cut names of two relations could be the same.
const MAX_ALIAS_BYTES = 40;

/** The alias of a related table. Starts with a prefix, because a query of the caller may contain the table under its own name. */
export function aliasOf(path: string): string {
  const alias = `fledge_${path.replaceAll('.', '__')}`;
  if (Buffer.byteLength(alias) <= MAX_ALIAS_BYTES) return alias;
  return `fledge_${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
}

interface OuterTable {
  readonly table: string;
  readonly alias: string;
}

function stepOf(
  path: string,
  { table, on }: Partial<SqlJoin>,
  alias: string,
  outer: OuterTable | undefined,
): JoinStep {
  const pairs = Object.entries(on ?? {});
  if (typeof table !== 'string' || table === '' || pairs.length === 0) {
    throw new InvalidQueryConfigError(
      `Relation "${path}" has no ${pairs.length === 0 ? 'columns to join on' : 'table'}.`,
      `Write its join, such as { table: 'users', on: { id: 'tasks.author_id' } }.`,
    );
  }
  return { table, alias, on: pairs.map(([own, equals]) => [own, columnOf(path, equals, outer)]) };
}

function columnOf(path: string, equals: unknown, outer: OuterTable | undefined): JoinedColumn {
  const [, table, column] = /^(.+)\.([^.]+)$/.exec(String(equals)) ?? [];
  if (column !== undefined && (outer === undefined || table === outer.table)) {
    return outer === undefined ? { column: String(equals) } : { alias: outer.alias, column };
  }
  throw new InvalidQueryConfigError(
    `Relation "${path}" joins on "${String(equals)}", which does not name a column with its table.`,
    `Write it as '${outer?.table ?? 'tasks'}.${column ?? String(equals)}'.`,
  );
}
