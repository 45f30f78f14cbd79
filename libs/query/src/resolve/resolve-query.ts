import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';
import type { QueryColumn } from './column.js';
import { resolveFilter } from './resolve-filter.js';
import type { ResolvedFilter, ResolvedQuery, ResolvedSort } from './resolved-query.js';

/** What an adapter tells of its table. */
export interface QuerySpec {
  /** Filterable columns by field. */
  readonly columns: Readonly<Record<string, QueryColumn>>;
  /** Sortable columns by field. @default `columns` */
  readonly sortable?: Readonly<Record<string, QueryColumn>>;
  /** Columns that `q` searches, of type `string`. @default none, and `q` is not looked at */
  readonly search?: readonly QueryColumn[];
  /** Ends every order, so that pages neither skip nor repeat rows. @default none, and they may */
  readonly primaryKey?: readonly QueryColumn[];
  /** What tells this list from others: cursors are bound to it. @default none */
  readonly list?: string;
}

/**
 * Gives every field its column and every value its type. Fields the spec does not have are dropped, as the
 * parser drops them; a value that does not fit its column is refused, because dropping it would answer with
 * more rows than were asked for.
 *
 * @throws InvalidQueryError listing every value that does not fit
 */
export function resolveQuery(parsed: AnyParsedQuery, spec: QuerySpec): ResolvedQuery {
  const problems: QueryProblem[] = [];
  const filters: ResolvedFilter[] = [];
  for (const item of parsed.filters) {
    const column = ownColumn(spec.columns, item.field);
    if (column === undefined) continue;
    const filter = resolveFilter(item, column);
    if ('reason' in filter) problems.push(filter);
    else filters.push(filter);
  }
  if (parsed.search.includes('\0')) {
    problems.push({ kind: 'search', reason: 'invalid-value', expected: 'text without U+0000' });
  }
  if (problems.length > 0) throw new InvalidQueryError(problems);
  const columns = spec.search ?? [];
  return {
    filters,
    search:
      parsed.search === '' || columns.length === 0 ? undefined : { text: parsed.search, columns },
    sort: resolveSort(parsed, spec),
    pagination: parsed.pagination,
    ...(spec.list !== undefined && { list: spec.list }),
  };
}

function resolveSort({ sort }: AnyParsedQuery, spec: QuerySpec): ResolvedSort[] {
  const resolved: ResolvedSort[] = [];
  const add = (field: string, column: QueryColumn | undefined, direction: 'asc' | 'desc') => {
    if (column === undefined || resolved.some((key) => key.column.name === column.name)) return;
    resolved.push({ field, column, direction });
  };
  for (const { field, direction } of sort) {
    add(field, ownColumn(spec.sortable ?? spec.columns, field), direction);
  }
  for (const column of spec.primaryKey ?? []) add(column.name, column, 'asc');
  return resolved;
}

function ownColumn(
  columns: Readonly<Record<string, QueryColumn>>,
  field: string,
): QueryColumn | undefined {
  return Object.hasOwn(columns, field) ? columns[field] : undefined;
}
