import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { keyValueOf } from '../resolve/json-column.js';
import { refuseSortKeys } from '../resolve/unsupported-sort-keys.js';
import { relationsTo } from '../resolve/relation.js';
import type { ResolvedField, ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { keysBeside } from '../resolve/selected-fields.js';
import { relationMetadataOf } from './related-entity.js';

/**
 * Returns the value of a sort key as it is stored in the database, because a cursor compares stored
 * values. Returns null if there is no related row. Returns undefined if the query did not fetch the
 * column or the related row.
 * @throws InvalidQueryError if the row lacks the column because of `select: false`
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
    refuseSortKeys([key], 'a sort key whose column is selected');
  }
  return keyValueOf(value, key.column);
}

/**
 * Checks the order of a `find` that may join. TypeORM then cannot sort by a column that is not
 * fetched.
 * @throws InvalidQueryError if a sort key has `select: false` and `fields` does not request it
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
  refuseSortKeys(hidden, 'a sort key whose column is selected');
}

/** The columns and joined entities that were fetched only for sort keys. */
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
