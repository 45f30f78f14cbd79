import type { EntityMetadata, FindOperator } from 'typeorm';
import type { ResolvedFilter, ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { comparesAsFloat } from './condition-sql.js';
import type { Dialect } from './dialect.js';
import { And, findOperatorOf, rawOperatorOf } from './find-operator.js';

// Flat, with paths for keys: nested objects could not order by two embedded columns and one between them.
type FindWhere = Record<string, FindOperator<unknown>>;
type FindOrder = Record<string, 'ASC' | 'DESC' | { direction: 'ASC' | 'DESC'; nulls: 'LAST' }>;

/** What has to hold; with a search once for each of its columns, because `find` knows OR only outermost. */
export function findWhereOf(
  query: ResolvedQuery,
  metadata: EntityMetadata,
  dialect: Dialect,
): FindWhere[] {
  const { filters, search } = query;
  if (search === undefined) return [allOf(filters, metadata, dialect)];
  return search.columns.map((column) => {
    const found: ResolvedFilter = {
      kind: 'text',
      operator: 'contains',
      field: column.name,
      column,
      text: search.text,
    };
    return allOf([...filters, found], metadata, dialect);
  });
}

export function findOrderOf({ sort }: ResolvedQuery, dialect: Dialect): FindOrder {
  const order: FindOrder = {};
  for (const key of sort) {
    const direction = key.direction === 'asc' ? 'ASC' : 'DESC';
    const told = putsNullsFirst(key, dialect) && dialect.hasNullsLast;
    order[key.column.name] = told ? { direction, nulls: 'LAST' } : direction;
  }
  return order;
}

/** Whether the engine has to be told that NULLs come last. */
export function putsNullsFirst({ column, direction }: ResolvedSort, dialect: Dialect): boolean {
  return column.nullable !== false && direction === dialect.nullsFirst;
}

function allOf(
  filters: readonly ResolvedFilter[],
  metadata: EntityMetadata,
  dialect: Dialect,
): FindWhere {
  const byPath = new Map<string, FindOperator<unknown>[]>();
  for (const filter of filters) {
    const { name } = filter.column;
    // TypeORM would put the typed value through the column's transformer, each time it is used.
    const transformed = metadata.findColumnWithPropertyPath(name)?.transformer !== undefined;
    const isRaw = transformed || comparesAsFloat(filter, dialect);
    const operator = isRaw ? rawOperatorOf(filter, dialect) : findOperatorOf(filter, dialect);
    byPath.set(name, [...(byPath.get(name) ?? []), operator]);
  }
  const conditions = [...byPath].map(([path, operators]): [string, FindOperator<unknown>] => [
    path,
    untransformed(
      operators.length === 1 ? (operators[0] as FindOperator<unknown>) : And(...operators),
    ),
  ]);
  return Object.fromEntries(conditions);
}

/** TypeORM 0.3 puts even an AND of raw conditions through a column's transformer. */
function untransformed(operator: FindOperator<unknown>): FindOperator<unknown> {
  return Object.assign(operator, { transformValue: () => undefined });
}
