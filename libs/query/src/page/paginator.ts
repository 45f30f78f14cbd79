import type { QueryFieldConfig } from '../config/field-config.js';
import type { QueryOptions } from '../config/query-options.js';
import type { AnyParsedQuery, ParsedQuery } from '../parse/parsed-query.js';
import { parseQuery } from '../parse/parse-query.js';
import { type FetchedPage, paginate, type PageResult } from './paginate.js';
import type { ResponseFor } from './paginated-response.js';
import type { PartialTotal, Total } from './total.js';

/** `paginate` for the query of one request: a fetcher gets it parsed by the config. */
export interface Paginator {
  <T, const Given extends Total | PartialTotal>(
    result: PageResult<T, Given>,
  ): ResponseFor<T, Given>;
  <
    T,
    const Given extends Total | PartialTotal,
    const Config extends QueryFieldConfig = QueryFieldConfig,
  >(
    fetcher: (
      parsed: ParsedQuery<Config>,
    ) => FetchedPage<T, Given> | PromiseLike<FetchedPage<T, Given>>,
    config?: Config,
  ): Promise<ResponseFor<T, Given>>;
}

/**
 * Binds `paginate` to the query of a request.
 *
 * @example
 * ```ts
 * const paginate = paginatorFor(req.query);
 * return paginate((parsed) => tasks.find(parsed), { filterable: ['status'] });
 * ```
 */
export function paginatorFor(query: unknown, options?: QueryOptions): Paginator {
  const bound = (
    given: PageResult<unknown> | ((parsed: AnyParsedQuery) => FetchedPage<unknown>),
    config?: QueryFieldConfig,
  ) =>
    typeof given === 'function'
      ? // A query that is refused rejects the promise, as a fetcher that fails does.
        Promise.resolve().then(() => paginate(given, parseQuery(query, config, options)))
      : paginate(given);
  // One function for both overloads; which one was called shows in its first argument.
  return bound as Paginator;
}
