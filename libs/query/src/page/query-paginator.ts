import type { QueryFieldConfig } from '../config/field-config.js';
import type { AnyParsedQuery, ParsedQuery } from '../parse/parsed-query.js';
import { parseQuery } from '../parse/parse-query.js';
import type { QueryOptions } from '../query.options.js';
import { paginate, type PageFetcher, type PageResult } from './paginate.js';
import type { ResponseFor } from './paginated-response.js';
import type { PartialTotal, Total } from './total.js';

/** `paginate` for the raw query of one request. A fetcher gets it parsed by the config. */
export interface QueryPaginator {
  <T, const Given extends Total | PartialTotal>(
    result: PageResult<T, Given>,
  ): ResponseFor<T, Given>;
  <
    T,
    const Given extends Total | PartialTotal,
    const Config extends QueryFieldConfig = QueryFieldConfig,
  >(
    fetcher: PageFetcher<ParsedQuery<Config>, T, Given>,
    config?: Config,
  ): Promise<ResponseFor<T, Given>>;
}

/**
 * Binds `paginate` to the query of a request. The promise of a fetcher rejects with `InvalidQueryError` for an invalid
 * query.
 *
 * @param options of `parseQuery`
 * @example
 * ```ts
 * const paginate = paginatorFor(req.query);
 * return paginate((parsed) => tasks.find(parsed), { filterable: ['status'] });
 * ```
 */
export function paginatorFor(query: unknown, options?: QueryOptions): QueryPaginator {
  const bound = (
    given: PageResult<unknown> | PageFetcher<AnyParsedQuery, unknown>,
    config?: QueryFieldConfig,
  ) =>
    typeof given === 'function'
      ? // An invalid query rejects the promise, as a failing fetcher does.
        Promise.resolve().then(() => paginate(given, parseQuery(query, config, options)))
      : paginate(given);
  // The first argument tells which overload was called.
  return bound as QueryPaginator;
}
