import type { QueryFieldConfig } from '../config/field-config.js';
import type { ResponseFor } from '../page/paginated-response.js';
import { paginate, type PageFetcher, type PageResult } from '../page/paginate.js';
import type { PartialTotal, Total } from '../page/total.js';
import type { AnyParsedQuery, ParsedQuery } from '../parse/parsed-query.js';

/**
 * `paginate` for the query of one request, as `@Paginate()` injects it. Takes the rows and their total, or a function
 * that fetches them for the parsed query.
 */
export interface Paginator<Config extends QueryFieldConfig = QueryFieldConfig> {
  /** @throws InvalidTotalError if the total is not a whole number from 0 */
  <T, const Given extends Total | PartialTotal>(
    page: Omit<PageResult<T, Given>, 'parsed'>,
  ): ResponseFor<T, Given>;
  /** @throws InvalidTotalError */
  <T, const Given extends Total | PartialTotal>(
    fetcher: PageFetcher<ParsedQuery<Config>, T, Given>,
  ): Promise<ResponseFor<T, Given>>;
  /** The parsed query of the request. */
  readonly parsed: ParsedQuery<Config>;
}

/** The paginator for a parsed query. */
export function paginatorOf(parsed: AnyParsedQuery): Paginator {
  const bound = (
    given: Omit<PageResult<unknown>, 'parsed'> | PageFetcher<AnyParsedQuery, unknown>,
  ) => (typeof given === 'function' ? paginate(given, parsed) : paginate({ ...given, parsed }));
  // The argument tells which overload was called.
  return Object.assign(bound, { parsed }) as Paginator;
}
