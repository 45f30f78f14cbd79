import type { OptInOperator } from '../config/operators.js';
import type { QueryOptions } from '../config/query-options.js';
import type { CursorSecrets } from '../cursor/cursor-signature.js';

/** How a route reads its query. */
export type RouteQueryOptions = QueryOptions<OptInOperator>;

/**
 * How every route of the application reads its query, unless the route says otherwise. Where `onReject` is
 * left out, what was dropped is logged at debug, one line a query.
 */
export interface QueryModuleOptions extends RouteQueryOptions {
  /** `PaginateInterceptor` also sets the `Link` header of RFC 8288. @default false */
  readonly linkHeader?: boolean | undefined;
  /** What `Cursors` signs with. @default none, and `Cursors` throws */
  readonly cursors?: CursorOptions | undefined;
}

export interface CursorOptions {
  /** At least 16 bytes, the same on every server. Of a list the first signs, and every one is accepted. */
  readonly secret: CursorSecrets;
  /**
   * What a cursor is bound to beside its list and order: the id of the tenant. Read at each request.
   * @default none
   */
  readonly scope?: (() => string | undefined) | undefined;
}

/** What a route says, over what the module says. */
export function optionsOver(
  module: RouteQueryOptions | undefined,
  route: RouteQueryOptions | undefined,
): RouteQueryOptions {
  if (module === undefined || route === undefined) return route ?? module ?? NONE;
  const limits = { ...module.limits, ...definedOf(route.limits ?? {}) };
  return { ...module, ...definedOf(route), limits };
}

/** One object, because the parser looks at an options object once. */
const NONE: RouteQueryOptions = {};

function definedOf<T extends object>(record: T): Partial<T> {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}
