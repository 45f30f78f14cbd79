import type { EntityMetadata, FindOperator } from 'typeorm';
import {
  type Condition,
  isFilter,
  type ResolvedField,
  type ResolvedFilter,
  type ResolvedQuery,
  type ResolvedSort,
} from '../resolve/resolved-query.js';
import { InvalidQueryError } from '../query.errors.js';
import { hasNativeNulls, refuseNullsFirst } from '../resolve/database-nulls.js';
import { refuseSortKeys } from '../resolve/unsupported-sort-keys.js';
import { treeOf } from '../resolve/row-members.js';
import { keysBeside } from '../resolve/selected-fields.js';
import { throughRelations } from '../resolve/through-relations.js';
import type { Dialect } from './dialect.js';
import type { QueriedEntity } from './related-entity.js';
import { And, countsSelected, findOperatorOf, rawOperatorOf } from './find-operator.js';
import { type TypeOrmCondition, uniquelyNamed } from './typeorm-condition.js';

type ColumnMetadata = EntityMetadata['columns'][number];

// A flat object with paths as keys. A nested object could not put another column between two
// columns of an embedded entity.
type FindWhere = Record<string, FindOperator<unknown>>;
type OrderWithNulls = { direction: 'ASC' | 'DESC'; nulls: 'FIRST' | 'LAST' };
type FindOrder = Record<string, 'ASC' | 'DESC' | OrderWithNulls>;

/** The `where` of `find`. One entry for each searched column: OR works only at the top level. */
export function findWhereOf(
  query: ResolvedQuery,
  entity: QueriedEntity,
  own?: TypeOrmCondition,
): FindWhere[] {
  const { search } = query;
  if (search === undefined) return [allOf(query, [], entity, own)];
  return search.columns.map((column) => {
    const found: ResolvedFilter = {
      kind: 'text',
      operator: 'contains',
      field: column.name,
      column,
      text: search.text,
    };
    return allOf(query, [throughRelations(found)], entity);
  });
}

interface FindOrderOptions {
  readonly dialect: Dialect;
  /** True if `find` may join relations. It then cannot sort by a field that is not fetched. */
  readonly joins: boolean;
}

/**
 * @throws InvalidQueryError if a sort key belongs to a related row or is inside a JSON column. Also
 * if `find` joins and `fields` omits a sort key, or if the engine cannot put NULLs first but
 * `nulls: 'first'` requires it
 */
export function findOrderOf(
  { sort, fields }: Pick<ResolvedQuery, 'sort' | 'fields'>,
  { dialect, joins }: FindOrderOptions,
): FindOrder {
  refuseSortKeys(
    sort.filter(({ column }) => column.relation !== undefined),
    'a sort key of the listed rows',
  );
  refuseSortKeys(
    sort.filter(({ column }) => column.json !== undefined),
    'a sort key that is not inside a JSON column',
  );
  if (joins && fields)
    refuseSortKeys(keysBeside({ sort, fields }), 'a sort key that is also in `fields`');
  if (!dialect.placesNulls) refuseNullsFirst(sort, dialect.nullRank);
  const order: FindOrder = {};
  for (const key of sort) {
    const direction = key.direction === 'asc' ? 'ASC' : 'DESC';
    const isNative = hasNativeNulls(key, dialect.nullRank) || !dialect.placesNulls;
    order[key.column.name] = isNative ? direction : { direction, nulls: nullsOf(key) };
  }
  return order;
}

/**
 * @param counts true if the caller uses `findAndCount`. TypeORM then counts distinct values of the
 * selected fields, without NULL
 * @throws InvalidQueryError if TypeORM would not count every row with these fields
 */
export function findSelectOf(
  fields: readonly ResolvedField[],
  { metadata, dialect }: QueriedEntity,
  counts: boolean,
): Record<string, unknown> {
  const uncounted = fields.filter(({ name }) => {
    const column = metadata.findColumnWithPropertyPath(name);
    if (column === undefined) return false;
    const isPostgres = dialect.engine === 'postgresql';
    return isPostgres ? INCOMPARABLE.has(String(column.type)) : column.isNullable;
  });
  if (counts && countsSelected && uncounted.length > 0) {
    const expected = 'a field that is never NULL';
    throw new InvalidQueryError(
      uncounted.map(({ field }) => ({
        kind: 'fields',
        field,
        reason: 'not-expressible',
        expected,
      })),
    );
  }
  return treeOf(fields.map(({ name }) => name));
}

/** Types of PostgreSQL without an equality operator. */
const INCOMPARABLE = new Set([
  'json',
  'xml',
  'point',
  'line',
  'lseg',
  'box',
  'path',
  'polygon',
  'circle',
]);

function nullsOf({ nulls }: ResolvedSort): 'FIRST' | 'LAST' {
  return nulls === 'first' ? 'FIRST' : 'LAST';
}

function allOf(
  { filters, where }: ResolvedQuery,
  more: readonly Condition[],
  entity: QueriedEntity,
  own?: TypeOrmCondition,
): FindWhere {
  // A view may have no primary key.
  const [first] = [...entity.metadata.primaryColumns, ...entity.metadata.columns];
  const keyPath = (first as ColumnMetadata).propertyPath;
  const byPath = new Map<string, FindOperator<unknown>[]>();
  const add = (path: string, operator: FindOperator<unknown>): void => {
    byPath.set(path, [...(byPath.get(path) ?? []), operator]);
  };
  for (const condition of [...filters, ...more, ...(where ? [where] : [])]) {
    const path = ownPathOf(condition) ?? keyPath;
    add(path, findOperatorOf(condition, path, entity));
  }
  if (own) add(keyPath, rawOperatorOf(uniquelyNamed(own), keyPath));
  const conditions = [...byPath].map(([path, operators]): [string, FindOperator<unknown>] => [
    path,
    untransformed(
      operators.length === 1 ? (operators[0] as FindOperator<unknown>) : And(...operators),
    ),
  ]);
  return Object.fromEntries(conditions);
}

/** Returns the path of a column in the condition. The column must belong to the entity itself. */
function ownPathOf(condition: Condition): string | undefined {
  if (isFilter(condition)) return condition.column.name;
  if (condition.kind === 'exists') return undefined;
  return condition.conditions.map(ownPathOf).find((path) => path !== undefined);
}

/** TypeORM 0.3 applies the column's transformer even to an AND of raw operators. */
function untransformed(operator: FindOperator<unknown>): FindOperator<unknown> {
  return Object.assign(operator, { transformValue: () => undefined });
}
