import { createHash } from 'node:crypto';
import type { QueryColumn } from '../resolve/column.js';
import { type QueryRelation, relationsTo } from '../resolve/relation.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { type JoinedColumn, type JoinStep, refOfJoined, type StepsOf } from './sql-join.js';

/**
 * A left join for sort keys and groups of related rows. It selects only the columns that it needs,
 * under other names. The caller's columns therefore do not become ambiguous, and `select *` returns
 * no other columns of the related row.
 */
export interface SortJoin {
  readonly table: string;
  readonly alias: string;
  readonly columns: readonly SelectedColumn[];
  /** Pairs of equal columns. Each column has its alias or table. */
  readonly on: readonly (readonly [own: string, equals: string])[];
}

interface SelectedColumn {
  readonly column: string;
  readonly as: string;
}

/** Each join comes after the join from which it starts. */
export function sortJoinsOf(
  sort: readonly Pick<ResolvedSort, 'column'>[],
  stepsOf: StepsOf,
): SortJoin[] {
  const steps = new Map<string, JoinStep>();
  const used = new Map<string, Set<string>>();
  const use = ({ alias = '', column }: JoinedColumn) =>
    used.set(alias, (used.get(alias) ?? new Set()).add(column));
  for (const { column } of sort) {
    for (const step of relationsTo(column.relation).flatMap(stepsOf)) {
      steps.set(step.alias, step);
      for (const [own, equals] of step.on) {
        use({ alias: step.alias, column: own });
        use(equals);
      }
    }
    const joined = joinedColumnOf(column, stepsOf);
    if (joined !== undefined) use(joined);
  }
  return [...steps.values()].map(({ table, alias, on }) => ({
    table,
    alias,
    columns: [...(used.get(alias) ?? [])].map((column) => ({
      column,
      as: selectedName({ alias, column }),
    })),
    on: on.map(([own, equals]) => [refOf({ alias, column: own }), refOf(equals)]),
  }));
}

/** A sort key of a related row. */
export interface SortedColumn {
  /** The column with the alias of its table. */
  readonly ref: string;
  /** The column's name in rows. */
  readonly as: string;
}

export function sortedColumnsOf(
  sort: readonly ResolvedSort[],
  stepsOf: StepsOf,
): readonly SortedColumn[] {
  return sort.flatMap(({ column }) => sortedColumnOf(column, stepsOf) ?? []);
}

/** Needs the joins of the sort keys. Returns undefined if the column belongs to the row itself. */
export function sortedColumnOf(column: QueryColumn, stepsOf: StepsOf): SortedColumn | undefined {
  const joined = joinedColumnOf(column, stepsOf);
  return joined && { ref: refOf(joined), as: selectedName(joined) };
}

/** @param of the relation to the row. Set in a condition on related rows */
export function columnRef(column: QueryColumn, stepsOf: StepsOf, of?: QueryRelation): string {
  if (of !== undefined) return `${stepsOf(of).at(-1)?.alias}.${column.name}`;
  return sortedColumnOf(column, stepsOf)?.ref ?? column.name;
}

function joinedColumnOf(
  { name, relation }: QueryColumn,
  stepsOf: StepsOf,
): JoinedColumn | undefined {
  const last = relation && stepsOf(relation).at(-1);
  return last && { alias: last.alias, column: name };
}

function refOf({ alias, column }: JoinedColumn): string {
  if (alias === undefined) return column;
  return refOfJoined({ alias, column: selectedName({ alias, column }) });
}

/**
 * The name has only lower-case letters. Kysely's `CamelCasePlugin` and Knex's `postProcessResponse`
 * may rename columns with other names.
 */
function selectedName({ alias = '', column }: JoinedColumn): string {
  const digest = createHash('sha256').update(`${alias}.${column}`).digest();
  const tail = [...digest.subarray(0, 12)].map((byte) => String.fromCharCode(0x61 + (byte % 26)));
  const readable = column.toLowerCase().replace(/[^a-z]/g, '');
  return `fledge${readable.slice(0, 20)}${tail.join('')}`;
}
