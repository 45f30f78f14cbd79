import type { OptInOperator } from './config/operators.js';
import type { QueryProblem } from './query.errors.js';

/**
 * Limits on one query. Sort items over `maxSort` are dropped, and pages over `maxOffset` are
 * reduced. A query that exceeds another limit is rejected with 400.
 */
export interface QueryLimits {
  /**
   * Maximum number of filters in one query, and of conditions and groups in its `where`.
   * @default 50
   */
  readonly maxFilters: number;
  /**
   * Maximum number of conditions in one query on fields of several related rows, such as
   * `tags.name`. Conditions in `filter` and `where` count together. Each condition is a subquery
   * that may read every related row. Adapters check this limit.
   * @default 5
   */
  readonly maxRelatedFilters: number;
  /** Allowed sort items of one query. @default 10 */
  readonly maxSort: number;
  /**
   * Maximum number of items in one list value, and of names in `fields`. Additional names in
   * `fields` are dropped.
   * @default 100
   */
  readonly maxListItems: number;
  /**
   * Maximum number of code points in one filter value, or in one item of a list value.
   * @default 1000
   */
  readonly maxValueLength: number;
  /**
   * Maximum number of rows before the page. A later page becomes the last page within the limit.
   * The option is at most 2147483647, because larger offsets fail or overflow in databases.
   * @default 2147483647
   */
  readonly maxOffset: number;
  /** Maximum number of facets in one query. Each facet takes a database query. @default 10 */
  readonly maxFacets: number;
  /** Maximum number of aggregates in one query. @default 10 */
  readonly maxAggregates: number;
  /** Maximum number of fields that one query may group by. @default 3 */
  readonly maxGroupKeys: number;
  /**
   * Maximum number of groups returned for each facet and for the aggregates. The groups with the
   * most rows are returned.
   * @default 100
   */
  readonly maxGroups: number;
}

/** Options of `parseQuery`, `compileQuery` and `QueryPipe`. */
export interface QueryOptions<OptIn extends OptInOperator = never> {
  /** Rows per page when the query has no `limit`. @default 20, or `maxLimit` if it is lower */
  readonly defaultLimit?: number | undefined;
  /** Largest `limit`. A larger `limit` is reduced to this value. @default 100 */
  readonly maxLimit?: number | undefined;
  /** Maximum number of code points in `q`. The rest is cut off. @default 200 */
  readonly maxSearchLength?: number | undefined;
  /** Limits on one query. A limit that is left out has its default. */
  readonly limits?: Partial<QueryLimits> | undefined;
  /** Operators that are allowed in addition to the eleven standard operators. @default none */
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
   * The result of `paginate` with a fetcher if the requested page is after the last one: `empty`
   * returns no rows; `last` fetches and returns the last page, which requires a full count.
   * `parseQuery` passes the option to `paginate(fetcher, parsed)`.
   * @default 'empty'
   */
  readonly pastEnd?: 'empty' | 'last' | undefined;
  /** Called for each item that is dropped, cut or rejected. @default none */
  readonly onReject?: ((problem: QueryProblem) => void) | undefined;
  /**
   * `'throw'` rejects a query with 400. The response lists every item that `'drop'` would drop or
   * cut, parameters with the name of a filterable field, and misspelled parameters.
   * @default 'drop'
   */
  readonly onInvalid?: 'drop' | 'throw' | undefined;
}

/** Options of one route. They override those of `QueryModule`; `limits` are merged. */
export type RouteQueryOptions = QueryOptions<OptInOperator>;

/**
 * Options of `QueryModule`, which are the defaults of every route. All options of `parseQuery` are
 * also accepted, except `cursors`, which each route enables. Without `onReject`, the problems of a
 * query are logged at debug level, one line per query.
 */
export interface QueryModuleOptions extends Omit<RouteQueryOptions, 'cursors'> {
  /** Sets the `Link` header (RFC 8288) of each paginated response. @default false */
  readonly linkHeader?: boolean | undefined;
  /**
   * Secret and scope of cursors.
   * @default none: the application does not start if a route has `cursors: true`
   */
  readonly cursors?: CursorOptions | undefined;
}

/** How cursors are signed. */
export interface CursorOptions {
  /**
   * At least 16 bytes, equal on every server. With a list, the first secret signs cursors, and all
   * secrets are accepted.
   */
  readonly secret: CursorSecrets;
  /** Binds cursors to a scope such as the id of the tenant. Called for each request. @default none */
  readonly scope?: (() => string | undefined) | undefined;
}

/** The key that signs cursors: at least 16 bytes that only the servers of the application have. */
export type CursorSecret = string | Uint8Array;

/**
 * One secret, or several during a rotation: the first secret signs cursors, and all secrets are
 * accepted.
 */
export type CursorSecrets = CursorSecret | readonly [CursorSecret, ...CursorSecret[]];
