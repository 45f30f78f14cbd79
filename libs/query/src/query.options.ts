import type { OptInOperator } from './config/operators.js';
import type { QueryProblem } from './query.errors.js';

/**
 * Limits on one query. Sort items beyond `maxSort` are dropped, and pages beyond `maxOffset` are
 * reduced. A query that exceeds another limit is rejected with 400.
 */
export interface QueryLimits {
  /**
   * Maximum number of filters in one query. `where` may contain the same number of conditions and
   * groups.
   * @default 50
   */
  readonly maxFilters: number;
  /**
   * Maximum number of conditions on fields with several related rows, such as `tags.name`.
   * Conditions in `filter` and `where` are counted together. Each condition is a subquery that may
   * read every related row. Adapters check this limit.
   * @default 5
   */
  readonly maxRelatedFilters: number;
  /** Allowed sort items of one query. @default 10 */
  readonly maxSort: number;
  /**
   * Maximum number of items in a list value, and of names in `fields`. Additional names in `fields`
   * are dropped.
   * @default 100
   */
  readonly maxListItems: number;
  /**
   * Maximum number of code points in a filter value, or in each item of a list value.
   * @default 1000
   */
  readonly maxValueLength: number;
  /**
   * Maximum number of rows before the page. A later page is replaced by the last page within the
   * limit. The highest allowed value is 2147483647, because databases fail or overflow with larger
   * offsets.
   * @default 2147483647
   */
  readonly maxOffset: number;
  /** Maximum number of facets in one query. Each facet requires a database query. @default 10 */
  readonly maxFacets: number;
  /** Maximum number of aggregates in one query. @default 10 */
  readonly maxAggregates: number;
  /** Maximum number of fields that one query may group by. @default 3 */
  readonly maxGroupKeys: number;
  /**
   * Maximum number of groups in each facet and in the aggregates, at most 1000. The groups with the
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
  /** Limits on one query. Each missing limit has its default. */
  readonly limits?: Partial<QueryLimits> | undefined;
  /** Operators to allow in addition to the eleven standard operators. @default none */
  readonly operators?: readonly OptIn[] | undefined;
  /**
   * Reads `where`: conditions combined by `or(...)`, `and(...)` and `not(...)`. If false, the
   * parameter is ignored.
   * @default false
   */
  readonly where?: boolean | undefined;
  /**
   * Reads the cursors `after` and `before` instead of page numbers. If false, both parameters are
   * ignored.
   * @default false
   */
  readonly cursors?: boolean | undefined;
  /**
   * The result of `paginate(fetcher, parsed)` if the requested page is after the last page. `empty`
   * returns no rows. `last` fetches and returns the last page, which requires an exact count.
   * `parseQuery` stores this option in the parsed query.
   * @default 'empty'
   */
  readonly pastEnd?: 'empty' | 'last' | undefined;
  /**
   * Called for each item that is dropped, shortened or rejected while the query string is parsed.
   * Not called for values that an adapter rejects, for cursors that `buildKeyset` rejects, or for
   * an invalid body of an HTTP QUERY request.
   * @default none
   */
  readonly onReject?: ((problem: QueryProblem) => void) | undefined;
  /**
   * `'throw'` rejects an invalid query with 400. The response lists every item that `'drop'` would
   * drop or shorten. It also lists misspelled parameters, and parameters with the name of a
   * filterable field.
   * @default 'drop'
   */
  readonly onInvalid?: 'drop' | 'throw' | undefined;
}

/** Options of one route. They override the options of `QueryModule`. `limits` are merged. */
export type RouteQueryOptions = QueryOptions<OptInOperator>;

/**
 * Options of `QueryModule`. They are the defaults of every route. All options of `parseQuery`
 * except `cursors` are accepted. Each route turns on `cursors` itself. Without `onReject`, problems
 * are logged at debug level, one line per query.
 */
export interface QueryModuleOptions extends Omit<RouteQueryOptions, 'cursors'> {
  /**
   * Sets the `Link` header (RFC 8288) of each paginated response. Cached responses get the header
   * only if the cache interceptor is registered after `QueryModule`.
   * @default false
   */
  readonly linkHeader?: boolean | undefined;
  /**
   * Secret and scope of cursors.
   * @default none: if a route has `cursors: true`, the application does not start
   */
  readonly cursors?: CursorOptions | undefined;
}

/** The options for signed cursors. */
export interface CursorOptions {
  /**
   * The key that signs cursors. It has at least 16 bytes, and is the same on every server. If you
   * pass a list, the first secret signs cursors, and all secrets are accepted.
   */
  readonly secret: CursorSecrets;
  /**
   * Returns a scope for cursors, such as the id of the tenant. A cursor works only in its scope.
   * Called for each request.
   * @default none
   */
  readonly scope?: (() => string | undefined) | undefined;
}

/**
 * The key that signs cursors. It has at least 16 bytes, and only the servers of the application
 * have it.
 */
export type CursorSecret = string | Uint8Array;

/**
 * One secret, or several secrets during a rotation. The first secret signs cursors, and all secrets
 * are accepted.
 */
export type CursorSecrets = CursorSecret | readonly [CursorSecret, ...CursorSecret[]];
