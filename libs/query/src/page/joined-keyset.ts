import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { joinedSpec } from '../shared-sql/joined-spec.js';
import { keyValueOf } from '../resolve/json-column.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { withFetchedKeys } from '../resolve/selected-fields.js';
import type { ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { sortedColumnOf, sortedColumnsOf } from '../shared-sql/sort-joins.js';
import { type JoinedQueryConfig, readJoinScope, type StepsOf } from '../shared-sql/sql-join.js';
import { withTextTimestamps } from './cursor-value.js';
import { type KeysetOptions, keysetPage, keysetQuery, sortValueOf } from './keyset-page.js';
import { projectionByField } from './row-projection.js';

/** A page with a cursor for Kysely and Knex, whose queries join the related rows of sort keys. */
export function joinedKeyset<Encoded>(
  parsed: AnyParsedQuery,
  config: JoinedQueryConfig<Encoded>,
  options: KeysetOptions,
) {
  const spec = joinedSpec(config);
  const query = keysetQuery(resolveQuery(parsed, spec), spec, options);
  const scope = readJoinScope(config);
  // The driver may return a string or a Date.
  const sort = query.sort.map(withTextTimestamps);
  const fetched = withFetchedKeys(query);
  const read = sortValueReader(fetched, scope.stepsOf);
  const page = keysetPage({ ...query, sort }, { read, ...options });
  const keys = sortedColumnsOf(sort, scope.stepsOf);
  return {
    // The same columns as in `after`, because `reachesNulls` compares them.
    query: { ...fetched, sort },
    scope,
    after: page.where,
    keys,
    cursorOf: (row: object) => page.cursorOf(row),
    project: projectionByField(query, keys),
  };
}

/**
 * Reads a sort key from a row. The query must have the joins of `sortJoinsOf`. Rows of `select *`
 * have the names of columns, and rows of a query with `fields` have the names of fields.
 */
function sortValueReader(
  { fields = [] }: ResolvedQuery,
  stepsOf: StepsOf,
): (row: object, key: ResolvedSort) => unknown {
  return (row, key) => {
    const { field, column } = key;
    const selected = fields.find(({ name }) => name === column.name)?.field ?? column.name;
    const names = [sortedColumnOf(column, stepsOf)?.as ?? selected, field];
    const name = names.find((each) => Object.hasOwn(row, each));
    if (name === undefined) return sortValueOf(row, key);
    return keyValueOf((row as Record<string, unknown>)[name], column);
  };
}
