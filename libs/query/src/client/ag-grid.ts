import type { PaginationParams, SortItem } from '../parse/parsed-query.js';
import { UnbuildableQueryError } from '../query.errors.js';
import type { AgGridColumn } from './ag-grid-condition.js';
import { advancedNodeOf, type AgGridModel, modelNodeOf } from './ag-grid-model.js';
import type { AnyNode } from './condition.js';
import { joinConditions, type ListQuery, pageAt, pageOfAllRows } from './list-query.js';

export type { AgGridColumn } from './ag-grid-condition.js';

/** What AG Grid 36 requests: `params.request` of the server-side row model, `params` of the infinite one. */
export interface AgGridRequest {
  readonly startRow?: number | undefined;
  /** Exclusive. */
  readonly endRow?: number | undefined;
  readonly sortModel?: readonly AgGridSort[] | undefined;
  readonly filterModel?: object | null | undefined;
  readonly rowGroupCols?: readonly unknown[] | undefined;
  readonly groupKeys?: readonly unknown[] | undefined;
  readonly pivotMode?: boolean | undefined;
}

interface AgGridSort {
  readonly colId: string;
  readonly sort: 'asc' | 'desc';
  readonly type?: string | undefined;
}

export interface AgGridOptions {
  /**
   * What the filter model does not say about columns, by their ids.
   * @default {}
   */
  readonly columns?: Readonly<Record<string, AgGridColumn>>;
  /**
   * Rows to request where the grid requests all.
   * @default undefined, with which such a request throws
   */
  readonly maxLimit?: number;
}

/**
 * The query of a block of rows, with column filters or the Advanced Filter. On the server, `equals` of text needs the
 * operator `ieq` and `blank` needs `isnull`; OR, and negated text, need the option `where`.
 *
 * @throws UnbuildableQueryError for row groups, pivots, filters without a counterpart, filters without a value, and
 * blocks that are no page: `startRow` has to be a multiple of the size
 * @example
 * ```ts
 * buildQueryString(fromAgGrid(params.request, { columns: { status: { caseSensitive: true } } }));
 * ```
 */
export function fromAgGrid(request: AgGridRequest, options: AgGridOptions = {}): ListQuery {
  refuseGroups(request);
  return {
    ...joinConditions(nodesOf(request.filterModel ?? {}, options)),
    sort: (request.sortModel ?? []).map(sortOf),
    pagination: pageOf(request, options),
  };
}

function refuseGroups({ rowGroupCols = [], groupKeys = [], pivotMode }: AgGridRequest): void {
  if (rowGroupCols.length === 0 && groupKeys.length === 0 && pivotMode !== true) return;
  throw new UnbuildableQueryError(
    'request for row groups or a pivot',
    'A list has rows only: turn off row groups and pivots.',
  );
}

function nodesOf(model: object, { columns = {} }: AgGridOptions): AnyNode[] {
  const columnOf = (id: string) => (Object.hasOwn(columns, id) ? (columns[id] ?? {}) : {});
  // The model of the Advanced Filter is one condition; that of column filters has one for each column.
  if ('filterType' in model && typeof model.filterType === 'string') {
    return [advancedNodeOf(model as AgGridModel, columnOf)];
  }
  // A column without a filter has no entry; applications that restore a saved state may write null.
  const models = Object.entries(model as Record<string, AgGridModel | null | undefined>);
  return models.flatMap(([id, filter]) => (filter ? [modelNodeOf(id, filter, columnOf(id))] : []));
}

function sortOf({ colId, sort, type = 'default' }: AgGridSort): SortItem {
  if (type === 'default') return { field: colId, direction: sort };
  throw new UnbuildableQueryError(`sort "${type}" on "${colId}"`, 'Sort by the value itself.');
}

function pageOf({ startRow = 0, endRow }: AgGridRequest, options: AgGridOptions): PaginationParams {
  if (endRow === undefined) return pageOfAllRows('no endRow', options.maxLimit);
  const size = endRow - startRow;
  if (startRow % size === 0) return pageAt(startRow / size, size);
  throw new UnbuildableQueryError(
    `block of rows ${startRow} to ${endRow}`,
    'Blocks have to start at a multiple of their size: set cacheBlockSize, and leave it as it is.',
  );
}
