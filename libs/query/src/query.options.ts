import type { OptInOperator } from './config/operators.js';
import type { QueryProblem } from './query.errors.js';

/**
 * Limits on one query. Sort items over `maxSort` are dropped, and pages over `maxOffset` are
 * reduced. A query that exceeds another limit is rejected with 400.
 */
export interface QueryLimits {
  /** Allowed filters of one query, and allowed conditions and groups of its `where`. @default 50 */
  readonly maxFilters: number;
  /**
   * Allowed conditions of one query on fields of several related rows, such as `tags.name`, in
   * `filter` and `where` together. Each condition is a subquery that may read every related row.
   * Adapters check this limit. @default 5
   */
  readonly maxRelatedFilters: number;
  /** Allowed sort items of one query. @default 10 */
  readonly maxSort: number;
  /**
   * Items of one list value, and names in `fields`. Additional names in `fields` are dropped.
   * @default 100
   */
  readonly maxListItems: number;
  /** Code points of one filter value, or of one item of a list value. @default 1000 */
  readonly maxValueLength: number;
  /**
   * Rows before the page. A later page becomes the last page within the limit. At most 2147483647: larger offsets
   * fail or overflow in databases. @default 2147483647
   */
  readonly maxOffset: number;
  /** Facets of one query. Each is a query of the database. @default 10 */
  readonly maxFacets: number;
  /** Aggregates of one query. @default 10 */
  readonly maxAggregates: number;
  /** Fields that one query may group by. @default 3 */
  readonly maxGroupKeys: number;
  /**
   * Groups returned for each facet and for the aggregates. The groups with the most rows are
   * returned. @default 100
   */
  readonly maxGroups: number;
}

/** Options of `parseQuery`, `compileQuery` and `QueryPipe`. */
export interface QueryOptions<OptIn extends OptInOperator = never> {
  /** Rows per page when the query has no `limit`. @default 20, or `maxLimit` if that is less */
  readonly defaultLimit?: number | undefined;
  /** Largest `limit`; larger ones are reduced to it. @default 100 */
  readonly maxLimit?: number | undefined;
  /** Code points of `q`; the rest is cut off. @default 200 */
  readonly maxSearchLength?: number | undefined;
  /** Limits on one query. Each one that is left out has its default. */
  readonly limits?: Partial<QueryLimits> | undefined;
  /** Additional operators that are allowed, besides the eleven standard operators. @default none */
  readonly operators?: readonly OptIn[] | undefined;
  /**
   * Reads `where`: conditions joined by `or(...)`, `and(...)` and `not(...)`. False ignores the parameter.
   * @default false
   */
  readonly where?: boolean | undefined;
  /**
   * Reads `after` and `before`, the cursors of pages, instead of page numbers. False ignores the parameters.
   * @default false
   */
  readonly cursors?: boolean | undefined;
  /**
   * The result of `paginate` with a fetcher for a page after the last one: no rows, or the last
   * page, which is then fetched too. Requires a full count. `parseQuery` passes the option to
   * `paginate(fetcher, parsed)`.
   * @default 'empty'
   */
  readonly pastEnd?: 'empty' | 'last' | undefined;
  /** Called for each item that is dropped, cut or rejected. @default none */
  readonly onReject?: ((problem: QueryProblem) => void) | undefined;
  /**
   * `'throw'` rejects a query with 400 and lists every item that `'drop'` would drop or cut,
   * parameters that have the name of a filterable field, and misspelled parameters.
   * @default 'drop'
   */
  readonly onInvalid?: 'drop' | 'throw' | undefined;
}

/** Options of one route. They override those of `QueryModule`; `limits` are merged. */
export type RouteQueryOptions = QueryOptions<OptInOperator>;

/**
 * Options of `QueryModule`, which are the defaults of every route. All options of `parseQuery` are
 * accepted too, except its `cursors`, which each route enables. Without `onReject`, the problems of
 * a query are logged at debug level, one line per query.
 */
export interface QueryModuleOptions extends Omit<RouteQueryOptions, 'cursors'> {
  /** Sets the `Link` header (RFC 8288) of each paginated response. @default false */
  readonly linkHeader?: boolean | undefined;
  /** Secret and scope of cursors. @default none: routes with `cursors: true` stop the boot */
  readonly cursors?: CursorOptions | undefined;
}

/** How cursors are signed. */
export interface CursorOptions {
  /** At least 16 bytes, equal on every server. With a list, the first signs and each is accepted. */
  readonly secret: CursorSecrets;
  /** Binds cursors to a scope such as the id of the tenant. Called for each request. @default none */
  readonly scope?: (() => string | undefined) | undefined;
}

/** The key that signs cursors: at least 16 bytes that only the servers of the application have. */
export type CursorSecret = string | Uint8Array;

/** One secret, or several during a rotation: the first signs, each is accepted. */
export type CursorSecrets = CursorSecret | readonly [CursorSecret, ...CursorSecret[]];
