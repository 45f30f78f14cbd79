// Only TypeScript checks the options of these functions. Browsers load 3.7 kB (compressed) of this
// code. Option tables would add 1.2 kB.
export type { FilterOperator, OptInOperator } from '../config/operators.js';
export { joinList } from '../parse/list-value.js';
export type {
  AnyParsedQuery,
  FilterItem,
  PaginationParams,
  SortItem,
  WhereNode,
} from '../parse/parsed-query.js';
export { filter, type FilterValue } from '../build/filter.js';
export { type BuildableQuery, buildQueryParams, type QueryParams } from '../build/query-params.js';
export { buildQueryString } from '../build/query-params.js';
export type { CursorMeta, CursorResponse } from '../page/cursor-page.js';
export type { PaginatedResponse, PaginationMeta } from '../page/paginated-response.js';
export type { AggregateItem, GroupItem, ParsedSummary, Period } from '../parse/parsed-summary.js';
export type {
  AggregateGroup,
  FacetGroup,
  Summary,
  SummaryGroups,
  SummaryValue,
} from '../summary/summary.js';
export { UnbuildableQueryError } from '../query.errors.js';
export type { ListQuery } from './list-query.js';
export {
  fromTanStackTable,
  type TanStackTableOptions,
  type TanStackTableState,
} from './tanstack-table.js';
export {
  fromRefine,
  type RefineFilter,
  type RefineListParams,
  type RefineOptions,
} from './refine.js';
export {
  type AgGridColumn,
  type AgGridOptions,
  type AgGridRequest,
  fromAgGrid,
} from './ag-grid.js';
