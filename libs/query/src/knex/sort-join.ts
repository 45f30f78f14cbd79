import type { Knex } from 'knex';
import type { SortJoin } from '../resolve/sort-joins.js';
import { type Fragment, fragment, joined, type Scope, tableIn } from './fragments.js';

/** The left join of a sort key. */
export function sortJoinOf(
  { table, alias, columns, on }: SortJoin,
  { schema }: Pick<Scope, 'schema'>,
): Fragment {
  const selected = columns.map(({ column, as }) => fragment('?? as ??', column, as));
  const pairs = on.map(([own, equals]) => fragment('?? = ??', own, equals));
  return joined(
    [
      fragment('left join (select'),
      joined(selected, ', '),
      fragment('from ??) as ?? on', tableIn(schema, table), alias),
      joined(pairs, ' and '),
    ],
    ' ',
  );
}

/** The schema that `withSchema()` gave to a query builder. Knex adds it to the listed table only, and has no getter. */
export function schemaOf(qb: Knex.QueryBuilder): string | undefined {
  const { _single: { schema } = {} } = qb as { _single?: { readonly schema?: string } };
  return schema;
}

/** Adds columns to those that a query selects. A query that selects none has the columns of all its tables. */
export function withSelected<QB extends Knex.QueryBuilder>(qb: QB, columns: readonly string[]): QB {
  const { _statements: statements = [] } = qb as { _statements?: readonly { grouping?: string }[] };
  if (statements.some(({ grouping }) => grouping === 'columns')) void qb.select(...columns);
  return qb;
}
