import { InvalidQueryConfigError } from '../query.errors.js';
import { ownColumn } from './column.js';
import { pathOfColumn } from './relation.js';
import type { QuerySpec, ResolvedField, ResolvedQuery } from './resolved-query.js';

type OrderedMembers = Pick<ResolvedQuery, 'sort'> & {
  readonly fields?: readonly ResolvedField[] | undefined;
};

/** The requested fields, with the primary key first. Undefined if the whole row is requested. */
export function selectedFields(
  fields: readonly string[] | undefined,
  { selectable, primaryKey = [], columns, sortable }: QuerySpec,
): readonly ResolvedField[] | undefined {
  if (fields === undefined || selectable === undefined) return undefined;
  const known = Object.entries(selectable).map(([field, name]) => ({ field, name }));
  const declared = Object.entries({ ...sortable, ...columns })
    .filter(([, { relation, json }]) => relation === undefined && json === undefined)
    .map(([field, { name }]) => ({ field, name }));
  const key = primaryKey.map(
    ({ name }) =>
      [...known, ...declared].find((member) => member.name === name) ?? { field: name, name },
  );
  const asked = known.filter(({ field }) => fields.includes(field));
  return [...new Map([...key, ...asked].map((member) => [member.field, member])).values()];
}

/**
 * Adds sort keys to the fetched fields, because a cursor contains the values of sort keys.
 * @param beside returns the sort keys to add
 */
export function withFetchedKeys(query: ResolvedQuery, beside = keysBeside): ResolvedQuery {
  const { fields } = query;
  return fields === undefined ? query : { ...query, fields: [...fields, ...beside(query)] };
}

/** Returns sort keys of the row itself that the query does not request. */
export function keysBeside({ sort, fields }: OrderedMembers): ResolvedField[] {
  const own = sort.filter(({ column }) => column.relation === undefined);
  return pathsBeside({ fields, sort: own });
}

/** Like `keysBeside`, but also returns the sort keys of related rows, as paths. */
export function pathsBeside({ fields = [], sort }: OrderedMembers): ResolvedField[] {
  const names = new Set(fields.map(({ name }) => name));
  return sort
    .map(({ field, column }) => ({ field, name: pathOfColumn(column) }))
    .filter(({ name }) => !names.has(name));
}

/**
 * Returns the columns of `selectable`. The list contains fields or database names.
 * @throws InvalidQueryConfigError if rows would have no key, or if a field means two columns
 */
export function selectableNames(
  selectable: readonly string[] | undefined,
  { columns, sortable = {}, primaryKey = [] }: QuerySpec,
): Readonly<Record<string, string>> | undefined {
  if (selectable === undefined) return undefined;
  if (primaryKey.length === 0) {
    throw new InvalidQueryConfigError(
      'A query config has `selectable`, but no `primaryKey`.',
      'Set `primaryKey`. Each row contains its key, even if the client does not request it.',
    );
  }
  const entries = selectable.map((field): [string, string] => {
    const [filtered, sorted] = [ownColumn(columns, field), ownColumn(sortable, field)];
    if ((filtered ?? sorted)?.relation) throw relatedMember(field);
    const { json = [] } = filtered ?? sorted ?? {};
    if (json.length > 0) {
      throw new InvalidQueryConfigError(
        `\`selectable\` contains "${field}", which is a value inside ` +
          `the JSON column "${(filtered ?? sorted)?.name}".`,
        'List the JSON column instead.',
      );
    }
    if (filtered && sorted && filtered.name !== sorted.name) {
      throw new InvalidQueryConfigError(
        `\`selectable\` contains "${field}", but \`columns\` maps this field to the column ` +
          `"${filtered.name}", and \`sortable\` maps it to "${sorted.name}".`,
        'Rename the field in `columns` or in `sortable`.',
      );
    }
    return [field, (filtered ?? sorted)?.name ?? field];
  });
  return Object.fromEntries(entries);
}

export function relatedMember(field: string): InvalidQueryConfigError {
  return new InvalidQueryConfigError(
    `\`selectable\` contains "${field}", which is a column of a related row.`,
    'Remove the field. `selectable` supports only fields of the listed rows.',
  );
}
