import { cacheByObject } from '../config/cache-by-object.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { isStrict, relatedLimitOf } from '../parse/options-for-adapters.js';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';
import { shortened } from '../parse/findings.js';
import { ownColumn, type QueryColumn } from './column.js';
import { resolveFilter } from './resolve-filter.js';
import { identityOfColumn, relationsTo } from './relation.js';
import { resolveWhere } from './resolve-where.js';
import { selectedFields } from './selected-fields.js';
import type { Condition, QuerySpec, ResolvedQuery, ResolvedSort } from './resolved-query.js';
import { throughRelations } from './through-relations.js';

/**
 * Replaces fields by columns, and converts values to the types of their columns. Drops unknown
 * fields. In `where`, and in a query that was parsed with `onInvalid: 'throw'`, unknown fields are
 * rejected. A value that does not fit its column is rejected, because the query would return more
 * rows without the filter.
 *
 * @throws InvalidQueryError if values do not fit, if unknown fields are rejected, or if more than
 * `maxRelatedFilters` conditions concern several related rows. The error lists all problems
 * @throws UnbuildableQueryError if a group is empty. A query string cannot contain an empty group
 */
export function resolveQuery(parsed: AnyParsedQuery, spec: QuerySpec): ResolvedQuery {
  const problems = isStrict(parsed) ? unknownFields(parsed, spec) : [];
  refuseCostly(parsed, spec);
  const filters: Condition[] = [];
  for (const item of parsed.filters) {
    const column = ownColumn(spec.columns, item.field);
    if (column === undefined) continue;
    const filter = resolveFilter(item, column);
    if ('reason' in filter) problems.push(filter);
    else filters.push(throughRelations(filter));
  }
  const where =
    parsed.where && resolveWhere(parsed.where, (field) => ownColumn(spec.columns, field), problems);
  if (parsed.search.includes('\0')) {
    problems.push({ kind: 'search', reason: 'invalid-value', expected: 'string without U+0000' });
  }
  if (problems.length > 0) throw new InvalidQueryError(problems);
  const columns = spec.search ?? [];
  const fields = selectedFields(parsed.fields, spec);
  const { after, before } = parsed;
  return {
    filters,
    where,
    search:
      parsed.search === '' || columns.length === 0 ? undefined : { text: parsed.search, columns },
    sort: resolveSort(parsed, spec),
    pagination: parsed.pagination,
    ...(fields && { fields }),
    ...(spec.list !== undefined && { list: spec.list }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
  };
}

/** Finds fields that the config of `parseQuery` allows, but the config of the adapter does not. */
function unknownFields({ filters, sort }: AnyParsedQuery, spec: QuerySpec): QueryProblem[] {
  const { columns, sortable = columns } = spec;
  const unknown = (kind: 'filter' | 'sort', items: readonly { field: string }[], known = columns) =>
    items
      .filter(({ field }) => ownColumn(known, field) === undefined)
      .map(({ field }) => ({
        kind,
        field: shortened(field),
        reason: 'field-not-allowed' as const,
      }));
  return [...unknown('filter', filters), ...unknown('sort', sort, sortable)];
}

/** @throws InvalidQueryError if conditions on several related rows exceed `maxRelatedFilters` */
function refuseCostly(parsed: AnyParsedQuery, { columns }: QuerySpec): void {
  const limit = relatedLimitOf(parsed);
  const isCostly = ({ field }: { readonly field: string }) =>
    relationsTo(ownColumn(columns, field)?.relation).some(({ many }) => many);
  const filters = parsed.filters.filter(isCostly);
  const leaves = parsed.where ? leavesOf(parsed.where).filter(isCostly) : [];
  if (filters.length + leaves.length <= limit) return;
  const expected = `at most ${limit} conditions on to-many relations`;
  const [kind, [first]] =
    filters.length > limit ? ['filter' as const, filters] : ['where' as const, leaves];
  throw new InvalidQueryError([
    { kind, ...(first && { field: first.field }), reason: 'too-many', expected },
  ]);
}

type WhereLeaf = AnyParsedQuery['filters'][number];

function leavesOf(node: NonNullable<AnyParsedQuery['where']>): WhereLeaf[] {
  if ('field' in node) return [node];
  if ('not' in node) return leavesOf(node.not);
  return ('or' in node ? node.or : node.and).flatMap(leavesOf);
}

function resolveSort({ sort }: AnyParsedQuery, spec: QuerySpec): ResolvedSort[] {
  const resolved: ResolvedSort[] = [];
  const add = (field: string, column: QueryColumn | undefined, direction: 'asc' | 'desc') => {
    if (column === undefined) return;
    const identity = identityOfColumn(column);
    if (resolved.some((key) => identityOfColumn(key.column) === identity)) return;
    resolved.push(withNulls({ field, column: sortedColumn(column), direction }, spec));
  };
  for (const { field, direction } of sort) {
    add(field, ownColumn(spec.sortable ?? spec.columns, field), direction);
  }
  for (const [field, column] of primaryKeyOf(spec)) add(field, column, 'asc');
  return resolved;
}

/** The columns of the primary key, each with its field, or its name if no field has the column. */
const primaryKeyOf = cacheByObject(({ columns, sortable, primaryKey = [] }: QuerySpec) => {
  const declared = Object.entries({ ...sortable, ...columns });
  return primaryKey.map((column): [field: string, column: QueryColumn] => {
    const identity = identityOfColumn(column);
    const [field = column.name] =
      declared.find(([, own]) => own === column) ??
      declared.find(([, own]) => identityOfColumn(own) === identity) ??
      [];
    return [field, column];
  });
});

/** Omits `nulls` if it has no effect. Cursors then also omit it. */
function withNulls(key: ResolvedSort, { nulls }: QuerySpec): ResolvedSort {
  return nulls === 'first' && key.column.nullable !== false ? { ...key, nulls } : key;
}

/** Nullable, because the value is NULL if there is no related row. */
function sortedColumn(column: QueryColumn): QueryColumn {
  return column.relation === undefined ? column : { ...column, nullable: true };
}
