import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { declaredSpec } from '../resolve/declared-columns.js';
import { keyValueOf } from '../resolve/json-column.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import { withFetchedKeys } from '../resolve/selected-fields.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
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
  const spec = declaredSpec(config);
  const query = keysetQuery(resolveQuery(parsed, spec), spec, options);
  const scope = readJoinScope(config);
  // The driver may return a string or a Date.
  const sort = query.sort.map(withTextTimestamps);
  const page = keysetPage({ ...query, sort }, { read: sortValueReader(scope.stepsOf), ...options });
  const keys = sortedColumnsOf(sort, scope.stepsOf);
  return {
    query: withFetchedKeys(query),
    scope,
    after: page.where,
    keys,
    cursorOf: (row: object) => page.cursorOf(row),
    project: projectionByField(query, keys),
  };
}

/** Reads a sort key from a row. The query must have the joins of `sortJoinsOf`. */
function sortValueReader(stepsOf: StepsOf): (row: object, key: ResolvedSort) => unknown {
  return (row, key) => {
    const joined = sortedColumnOf(key.column, stepsOf);
    if (joined === undefined || !Object.hasOwn(row, joined.as)) return sortValueOf(row, key);
    return keyValueOf((row as Record<string, unknown>)[joined.as], key.column);
  };
}
