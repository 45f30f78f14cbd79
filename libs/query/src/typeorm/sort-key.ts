import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { keyValueOf } from '../resolve/json-column.js';
import { refuseKeys } from '../resolve/refuse-keys.js';
import { relationsTo } from '../resolve/relation.js';
import type { ResolvedField, ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { keysBeside } from '../resolve/selected-fields.js';
import { relationMetadataOf } from './related-entity.js';

/**
 * Returns the value of a sort key as stored in the database, because the condition of a cursor
 * compares stored values. Returns null without a related row, and undefined if the row was fetched
 * without the column or the related row.
 * @throws InvalidQueryError if the row was fetched without the column, because the column has
 * `select: false`
 */
export function readSortValue(row: object, key: ResolvedSort, metadata: EntityMetadata): unknown {
  const { name, relation } = key.column;
  let owner: unknown = row;
  for (const passed of relationsTo(relation)) {
    // A lazy relation is a promise in the row.
    owner = relationMetadataOf(metadata, passed).getEntityValue(owner as ObjectLiteral);
    if (typeof owner !== 'object' || owner === null) return owner;
  }
  const entity = relation ? relationMetadataOf(metadata, relation).inverseEntityMetadata : metadata;
  const column = entity.findColumnWithPropertyPath(name);
  const value: unknown = column?.getEntityValue(owner as ObjectLiteral, true);
  if (value === undefined && column?.isSelect === false) {
    refuseKeys([key], 'a sort key whose column is in the selected rows');
  }
  return keyValueOf(value, key.column);
}

/**
 * Checks the order of a `find` that may join, because TypeORM then cannot order by a column that it
 * does not fetch.
 * @throws InvalidQueryError for a sort key with `select: false` that `fields` does not request
 */
export function refuseHiddenKeys(
  { sort, fields = [] }: ResolvedQuery,
  metadata: EntityMetadata,
): void {
  const hidden = sort.filter(
    ({ column: { name } }) =>
      metadata.findColumnWithPropertyPath(name)?.isSelect === false &&
      !fields.some((field) => field.name === name),
  );
  refuseKeys(hidden, 'a sort key whose column is in the selected rows');
}

/** Fields of a row that were fetched only for its sort keys: columns and joined entities. */
export function besideOf(metadata: EntityMetadata): (query: ResolvedQuery) => ResolvedField[] {
  return (query) => {
    const joined = query.sort.flatMap(({ field, column }) => {
      const [first] = relationsTo(column.relation);
      if (first === undefined) return [];
      const { isLazy } = relationMetadataOf(metadata, first);
      const names = isLazy ? [`__${first.name}__`, `__has_${first.name}__`] : [first.name];
      return names.map((name) => ({ field, name }));
    });
    return [...keysBeside(query), ...joined];
  };
}
