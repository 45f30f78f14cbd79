import { cacheByObject } from '../config/cache-by-object.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import { declaredSpec } from '../resolve/declared-columns.js';
import type { QuerySpec } from '../resolve/resolved-query.js';
import type { JoinedQueryConfig } from './sql-join.js';

/** The spec of Kysely and Knex. Cached by identity. @throws InvalidQueryConfigError */
export const joinedSpec = cacheByObject((config: JoinedQueryConfig<unknown>): QuerySpec => {
  const spec = declaredSpec(config);
  refuseCapturedKeys(spec);
  return spec;
});

/**
 * With `fields`, each column is selected under the name of its field. A page with a cursor also
 * selects its sort keys. In `order by`, databases prefer this name to a column of the table, so they
 * would sort by the wrong column.
 * @throws InvalidQueryConfigError if a field has the name of another sort key's column
 */
function refuseCapturedKeys({ selectable, columns, sortable, primaryKey = [] }: QuerySpec): void {
  if (selectable === undefined) return;
  const sorted = Object.entries(sortable ?? columns);
  const keyed = Object.entries({ ...sortable, ...columns }).filter(([, { name }]) =>
    primaryKey.some((key) => key.name === name),
  );
  const own = [...sorted, ...keyed].filter(([, { relation }]) => relation === undefined);
  const keys = [...own.map(([, column]) => column), ...primaryKey];
  const selected = own.map(([field, { name }]) => [field, name] as const);
  const fields = [...Object.entries(selectable), ...selected];
  const captured = fields.find(
    ([field, name]) => field !== name && keys.some((key) => key.name === field),
  );
  if (captured === undefined) return;
  const [field, name] = captured;
  throw new InvalidQueryConfigError(
    `Field "${field}" is the column "${name}", but the column "${field}" is another sort key. ` +
      `With \`fields\`, databases would sort by the selected field "${field}".`,
    `Rename field "${field}", or write the table before the column: { name: 'tasks.${field}' }.`,
  );
}
