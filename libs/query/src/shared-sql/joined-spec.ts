import { cacheByObject } from '../config/cache-by-object.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import { declaredSpec } from '../resolve/declared-columns.js';
import type { QuerySpec, ResolvedField } from '../resolve/resolved-query.js';
import type { JoinedQueryConfig } from './sql-join.js';

/** The spec of Kysely and Knex. Cached by identity. @throws InvalidQueryConfigError */
export const joinedSpec = cacheByObject((config: JoinedQueryConfig<unknown>): QuerySpec => {
  const spec = declaredSpec(config);
  const { selectable, columns, sortable, primaryKey = [] } = spec;
  if (selectable === undefined) return spec;
  const own = Object.entries({ ...sortable, ...columns }).map(([field, { name }]) => ({
    field,
    name,
  }));
  const keys = own.filter(({ name }) => primaryKey.some((key) => key.name === name));
  const asked = Object.entries(selectable).map(([field, name]) => ({ field, name }));
  refuseCapturedKeys([...asked, ...keys], [...Object.values(sortable ?? columns), ...primaryKey]);
  return spec;
});

/**
 * With `fields`, each column is selected under the name of its field. In `order by`, databases
 * prefer this name to a column of the table, so they would sort by the wrong column.
 * @throws InvalidQueryConfigError if a selected field has the name of another sort key's column
 */
export function refuseCapturedKeys(
  fields: readonly ResolvedField[],
  keys: readonly { readonly name: string; readonly relation?: unknown }[],
): void {
  const own = keys.filter(({ relation }) => relation === undefined);
  const captured = fields.find(
    ({ field, name }) => field !== name && own.some((key) => key.name === field),
  );
  if (captured === undefined) return;
  const { field, name } = captured;
  throw new InvalidQueryConfigError(
    `Field "${field}" is the column "${name}", but the column "${field}" is another sort key. ` +
      `With \`fields\`, databases would sort by the selected field "${field}".`,
    `Rename field "${field}", or write the table before the column: { name: 'tasks.${field}' }.`,
  );
}
