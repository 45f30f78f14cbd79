import type { QueryFieldConfig } from '../config/field-config.js';
import type { ParsedQuery } from '../parse/parsed-query.js';
import { parseQuery } from '../parse/parse-query.js';
import type { QueryOptions } from '../query.options.js';
import {
  type AnyFetcher,
  type AnyResult,
  type PageFetcher,
  type PageResult,
  paginateAny,
} from './paginate.js';
import type { CursorFetcher, CursorResponse, CursorResult } from './cursor-page.js';
import type { ResponseFor } from './paginated-response.js';
import type { PartialTotal, Total } from './total.js';

/** `paginate` for the raw query of one request. A fetcher gets it parsed by the config. */
export interface QueryPaginator {
  <T>(result: CursorResult<T>): CursorResponse<T>;
  <T, const Config extends QueryFieldConfig = QueryFieldConfig>(
    fetcher: CursorFetcher<ParsedQuery<Config>, T>,
    config?: Config,
  ): Promise<CursorResponse<T>>;
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
  const bound = (given: AnyResult | AnyFetcher, config?: QueryFieldConfig) =>
    typeof given === 'function'
      ? // An invalid query rejects the promise, as a failing fetcher does.
        Promise.resolve().then(() =>
          paginateAny(given, parseQuery(query, config, options), options),
        )
      : paginateAny(given);
  // The first argument tells which overload was called.
  return bound as QueryPaginator;
}
