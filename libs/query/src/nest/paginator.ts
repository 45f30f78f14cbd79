import type { QueryFieldConfig } from '../config/field-config.js';
import type { ResponseFor } from '../page/paginated-response.js';
import { type FetchedPage, paginate, type PageResult } from '../page/paginate.js';
import type { PartialTotal, Total } from '../page/total.js';
import type { AnyParsedQuery, ParsedQuery } from '../parse/parsed-query.js';

/** `paginate`, bound to the parsed query of one request. */
export interface Paginator<Config extends QueryFieldConfig = QueryFieldConfig> {
  /** @throws InvalidTotalError */
  <T, const Given extends Total | PartialTotal>(
    page: Omit<PageResult<T, Given>, 'parsed'>,
  ): ResponseFor<T, Given>;
  /** @throws InvalidTotalError */
  <T, const Given extends Total | PartialTotal>(
    fetcher: (
      parsed: ParsedQuery<Config>,
    ) => FetchedPage<T, Given> | PromiseLike<FetchedPage<T, Given>>,
  ): Promise<ResponseFor<T, Given>>;
  /** What it is bound to. */
  readonly parsed: ParsedQuery<Config>;
}

export function paginatorOf(parsed: AnyParsedQuery): Paginator {
  const bound = (
    given: Omit<PageResult<unknown>, 'parsed'> | ((parsed: AnyParsedQuery) => FetchedPage<unknown>),
  ) => (typeof given === 'function' ? paginate(given, parsed) : paginate({ ...given, parsed }));
  // One function for both overloads; which one was called shows in its argument.
  return Object.assign(bound, { parsed }) as Paginator;
}
