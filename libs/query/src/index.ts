export type {
  ColumnQueryFieldConfig,
  FilterableField,
  QueryFieldConfig,
  SortableField,
  SortText,
  StringQueryFieldConfig,
} from './config/field-config.js';
export type { FilterOperator, OptInOperator } from './config/operators.js';
export { joinList, splitList } from './parse/list-value.js';
export type {
  AnyParsedQuery,
  FilterItem,
  PaginationParams,
  ParsedFields,
  ParsedQuery,
  SortItem,
  WhereNode,
} from './parse/parsed-query.js';
export { compileQuery, parseQuery } from './parse/parse-query.js';
export type {
  AggregateItem,
  AggregateOperator,
  GroupItem,
  ParsedSummary,
  Period,
} from './parse/parsed-summary.js';
export { filter, type FilterValue } from './build/filter.js';
export { type BuildableQuery, buildQueryParams, type QueryParams } from './build/query-params.js';
export { buildQueryString } from './build/query-params.js';
export type { ColumnType, ColumnValue, QueryColumn } from './resolve/column.js';
export type {
  ColumnDeclaration,
  DeclaredQueryConfig,
  RelatedQueryConfig,
} from './resolve/declared-columns.js';
export type { DeclaredRelations, RelationDeclaration } from './resolve/declared-relations.js';
export type { QueryBuilderAdapter } from './resolve/query-adapter.js';
export type { QueryRelation } from './resolve/relation.js';
export { resolveQuery } from './resolve/resolve-query.js';
export type {
  AggregateGroup,
  FacetGroup,
  Summary,
  SummaryGroups,
  SummaryValue,
} from './summary/summary.js';
export type {
  BetweenFilter,
  CompareFilter,
  Condition,
  ExistsCondition,
  InFilter,
  NothingFilter,
  NullFilter,
  QuerySpec,
  ResolvedFilter,
  ResolvedQuery,
  ResolvedSearch,
  ResolvedSort,
  SummaryColumns,
  TextFilter,
} from './resolve/resolved-query.js';
export type {
  CappedResponse,
  EstimatedResponse,
  PaginatedResponse,
  PaginationMeta,
  ResponseFor,
  SlicedResponse,
} from './page/paginated-response.js';
export type {
  CursorFetcher,
  CursorMeta,
  CursorResponse,
  CursorResult,
  CursorRows,
  FetchedCursorRows,
} from './page/cursor-page.js';
export {
  connectionOf,
  type Connection,
  type ConnectionEdge,
  type ConnectionPageInfo,
} from './page/connection.js';
export { type FetchedPage, paginate, type PageFetcher, type PageResult } from './page/paginate.js';
export type {
  CappedTotal,
  EstimatedTotal,
  NoTotal,
  PartialTotal,
  Total,
} from './page/paginated-response.js';
export {
  type AnyMeta,
  linkHeader,
  type NumberedMeta,
  type PageLinks,
  pageLinks,
} from './page/links.js';
export { type CursorScope, decodeCursor, encodeCursor } from './page/cursor.js';
export { keysetCondition } from './page/keyset-condition.js';
export { type KeysetOptions, type KeysetPage, keysetPage } from './page/keyset-page.js';
export {
  type ExportedList,
  type ExportFetcher,
  type ExportOptions,
  exportPages,
  type FetchedExportRows,
} from './export/export-pages.js';
export {
  ExportLimitError,
  InvalidQueryConfigError,
  InvalidQueryError,
  InvalidTotalError,
  MisplacedDecoratorError,
  MissingPeerError,
  QueryError,
  type QueryProblem,
  type QueryProblemReason,
  UnacceptableExportError,
  UnbuildableQueryError,
  UnsupportedPeerError,
} from './query.errors.js';
export type { CursorSecret, CursorSecrets, QueryLimits, QueryOptions } from './query.options.js';
