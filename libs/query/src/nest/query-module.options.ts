import type { OptInOperator } from '../config/operators.js';
import type { QueryOptions } from '../config/query-options.js';

/** How a route reads its query. */
export type RouteQueryOptions = QueryOptions<OptInOperator>;

/**
 * How every route of the application reads its query, unless the route says otherwise. Where `onReject` is
 * left out, what was dropped is logged at debug, one line a query.
 */
export interface QueryModuleOptions extends RouteQueryOptions {
  /** `PaginateInterceptor` also sets the `Link` header of RFC 8288. @default false */
  readonly linkHeader?: boolean | undefined;
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
