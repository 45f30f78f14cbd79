import type { EntityMetadata, FindOperator } from 'typeorm';
import {
  type Condition,
  isFilter,
  type ResolvedFilter,
  type ResolvedQuery,
  type ResolvedSort,
} from '../resolve/resolved-query.js';
import { comparesAsFloat } from './condition-sql.js';
import type { Dialect } from './dialect.js';
import { And, findOperatorOf, groupOperatorOf, rawOperatorOf } from './find-operator.js';

// Flat, with paths as keys: with nested objects, another column cannot stand between two columns of one embedded.
type FindWhere = Record<string, FindOperator<unknown>>;
type FindOrder = Record<string, 'ASC' | 'DESC' | { direction: 'ASC' | 'DESC'; nulls: 'LAST' }>;

/** The `where` of `find`. A search gives one entry per searched column, because `find` has OR only at the top. */
export function findWhereOf(
  query: ResolvedQuery,
  metadata: EntityMetadata,
  dialect: Dialect,
): FindWhere[] {
  const { search } = query;
  if (search === undefined) return [allOf(query, [], metadata, dialect)];
  return search.columns.map((column) => {
    const found: ResolvedFilter = {
      kind: 'text',
      operator: 'contains',
      field: column.name,
      column,
      text: search.text,
    };
    return allOf(query, [found], metadata, dialect);
  });
}

/** The `order` of `find`. */
export function findOrderOf({ sort }: ResolvedQuery, dialect: Dialect): FindOrder {
  const order: FindOrder = {};
  for (const key of sort) {
    const direction = key.direction === 'asc' ? 'ASC' : 'DESC';
    const needsNullsLast = putsNullsFirst(key, dialect) && dialect.hasNullsLast;
    order[key.column.name] = needsNullsLast ? { direction, nulls: 'LAST' } : direction;
  }
  return order;
}

/** Whether the engine puts the NULLs of a sort key first by default. */
export function putsNullsFirst({ column, direction }: ResolvedSort, dialect: Dialect): boolean {
  return column.nullable !== false && direction === dialect.nullsFirst;
}

function allOf(
  { filters, where }: ResolvedQuery,
  more: readonly ResolvedFilter[],
  metadata: EntityMetadata,
  dialect: Dialect,
): FindWhere {
  const byPath = new Map<string, FindOperator<unknown>[]>();
  const add = (path: string, operator: FindOperator<unknown>): void => {
    byPath.set(path, [...(byPath.get(path) ?? []), operator]);
  };
  for (const filter of [...filters.filter(isFilter), ...more]) {
    const { name } = filter.column;
    // TypeORM would apply the column's transformer to the value.
    const transformed = metadata.findColumnWithPropertyPath(name)?.transformer !== undefined;
    const isRaw = transformed || comparesAsFloat(filter, dialect);
    add(name, isRaw ? rawOperatorOf(filter, dialect) : findOperatorOf(filter, dialect));
  }
  if (where) {
    const path = firstPathOf(where);
    add(path, groupOperatorOf(where, path, dialect));
  }
  const conditions = [...byPath].map(([path, operators]): [string, FindOperator<unknown>] => [
    path,
    untransformed(
      operators.length === 1 ? (operators[0] as FindOperator<unknown>) : And(...operators),
    ),
  ]);
  return Object.fromEntries(conditions);
}

function firstPathOf(condition: Condition): string {
  if (isFilter(condition)) return condition.column.name;
  const [first] = 'conditions' in condition ? condition.conditions : [condition.condition];
  return firstPathOf(first as Condition);
}

/** TypeORM 0.3 applies the column's transformer even to an AND of raw operators. */
function untransformed(operator: FindOperator<unknown>): FindOperator<unknown> {
  return Object.assign(operator, { transformValue: () => undefined });
}
