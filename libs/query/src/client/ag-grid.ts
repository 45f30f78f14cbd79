import type { PaginationParams, SortItem } from '../parse/parsed-query.js';
import { UnbuildableQueryError } from '../query.errors.js';
import { type AgGridColumn, type AgGridCondition, conditionNodeOf } from './ag-grid-condition.js';
import { type AnyNode, conditionAt, unbuildable } from './condition.js';
import { joinConditions, type ListQuery, pageAt, pageOfAllRows } from './list-query.js';
import { filter } from '../build/filter.js';

export type { AgGridColumn } from './ag-grid-condition.js';

/**
 * A request of AG Grid 36: `params.request` of the server-side row model, or `params` of the
 * infinite row model.
 */
export interface AgGridRequest {
  readonly startRow?: number | undefined;
  /** The first row that is not requested. */
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
   * Properties of columns that the filter model does not contain. The keys are column ids.
   * @default {}
   */
  readonly columns?: Readonly<Record<string, AgGridColumn>>;
  /**
   * Page size used when the grid requests all rows.
   * @default undefined: a request for all rows throws
   */
  readonly maxLimit?: number;
}

/**
 * Returns the query for a block of rows. Supports column filters and the Advanced Filter. The
 * server must allow the operator `ieq` for `equals` on a text column, and `isnull` for `blank`. The
 * server must also enable the option `where` for OR, and for negated text filters.
 *
 * @throws UnbuildableQueryError for row groups, pivots, unsupported filters, and filters without a
 * value. Also if `startRow` is not a multiple of the block size
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
    'Turn off row grouping and pivot mode in the grid.',
  );
}

function nodesOf(model: object, { columns = {} }: AgGridOptions): AnyNode[] {
  const columnOf = (id: string) => (Object.hasOwn(columns, id) ? (columns[id] ?? {}) : {});
  // The model of the Advanced Filter is one condition. The model of column filters has one
  // condition for each column.
  if ('filterType' in model && typeof model.filterType === 'string') {
    return [advancedNodeOf(model as AgGridModel, columnOf)];
  }
  // The value is null if the application restored a saved state.
  const models = Object.entries(model as Record<string, AgGridModel | null | undefined>);
  return models.flatMap(([id, filter]) => (filter ? [modelNodeOf(id, filter, columnOf(id))] : []));
}

function sortOf({ colId, sort, type = 'default' }: AgGridSort): SortItem {
  if (type === 'default') return { field: colId, direction: sort };
  throw new UnbuildableQueryError(
    `sort of type "${type}" on "${colId}"`,
    'Use the sort type "default".',
  );
}

function pageOf({ startRow = 0, endRow }: AgGridRequest, options: AgGridOptions): PaginationParams {
  if (endRow === undefined) return pageOfAllRows('`endRow` is missing', options.maxLimit);
  const size = endRow - startRow;
  if (startRow % size === 0) return pageAt(startRow / size, size);
  throw new UnbuildableQueryError(
    `block of rows ${startRow} to ${endRow}`,
    'The first row of a block must be a multiple of the block size. ' +
      'Set `cacheBlockSize` once, and do not change it.',
  );
}

/** The filter of a column, or of the Advanced Filter. */
interface AgGridModel extends AgGridCondition {
  readonly colId?: string;
  readonly values?: unknown;
  readonly operator?: string;
  readonly conditions?: readonly AgGridModel[];
  readonly filterModels?: readonly (AgGridModel | null)[] | null;
}

/** @throws UnbuildableQueryError */
function advancedNodeOf(model: AgGridModel, columnOf: (id: string) => AgGridColumn): AnyNode {
  const { filterType, type, colId, conditions = [] } = model;
  if (filterType === 'join') {
    const nodes = conditions.map((each) => advancedNodeOf(each, columnOf));
    return groupOf(type, nodes);
  }
  if (colId === undefined) throw new UnbuildableQueryError('filter without colId', 'Set `colId`.');
  return modelNodeOf(colId, model, columnOf(colId));
}

/** @throws UnbuildableQueryError */
function modelNodeOf(id: string, model: AgGridModel, column: AgGridColumn): AnyNode {
  const { filterType, operator, conditions, filterModels } = model;
  if (filterType === 'multi') {
    const models = (filterModels ?? []).filter((each) => each !== null);
    return groupOf(
      'AND',
      models.map((each) => modelNodeOf(id, each, column)),
    );
  }
  if (conditions !== undefined) {
    return groupOf(
      operator,
      conditions.map((each) => modelNodeOf(id, each, column)),
    );
  }
  return filterType === 'set' ? setNodeOf(id, model) : conditionNodeOf(id, model, column);
}

function groupOf(operator: string | null | undefined, nodes: readonly AnyNode[]): AnyNode {
  if (operator === 'OR') return filter.or(...nodes);
  if (operator === 'AND') return filter.and(...nodes);
  throw new UnbuildableQueryError(
    `group with the operator "${operator}"`,
    'Join the conditions with "AND" or "OR".',
  );
}

/** Null among the values means blank. */
function setNodeOf(id: string, { type, values }: AgGridModel): AnyNode {
  const place = { column: id, operator: type ?? 'set' };
  const node = listed(place, values);
  if (type === 'isNoneOf') return filter.not(node);
  if (type === undefined || type === 'isAnyOf') return node;
  throw unbuildable(place, 'Use isAnyOf or isNoneOf.');
}

function listed(place: { column: string; operator: string }, values: unknown): AnyNode {
  if (!Array.isArray(values) || !values.includes(null)) return conditionAt(place, 'in', values);
  const blank = filter.isnull(place.column, true);
  const others = values.filter((value) => value !== null);
  return others.length === 0 ? blank : filter.or(blank, conditionAt(place, 'in', others));
}
