import type { QueryFieldConfig } from '../config/field-config.js';
import type { KeysetOptions } from '../page/keyset-page.js';
import type { CursorFetcher, CursorResponse, CursorRows } from '../page/cursor-page.js';
import type { ResponseFor, PartialTotal, Total } from '../page/paginated-response.js';
import {
  type AnyFetcher,
  type AnyResult,
  type PageFetcher,
  type PageResult,
  paginateAny,
} from '../page/paginate.js';
import type { AnyParsedQuery, ParsedQuery } from '../parse/parsed-query.js';

/**
 * The function that `@Paginate()` injects. It calls `paginate` for the query of one request. Pass
 * the rows and their total, or a function that fetches them for the parsed query. For a page with a
 * cursor, pass the rows and `cursorOf`.
 */
export interface Paginator<Config extends QueryFieldConfig = QueryFieldConfig> {
  /**
   * Returns a page with a cursor. Pass the rows, and `cursorOf` of the result of
   * `buildKeyset(query, config, paginate.cursor)`.
   */
  <T>(page: CursorRows<T>): CursorResponse<T>;
  <T>(fetcher: CursorFetcher<ParsedQuery<Config>, T>): Promise<CursorResponse<T>>;
  /** @throws InvalidTotalError if the total is not a whole number of 0 or more */
  <T, const Given extends Total | PartialTotal>(
    page: Omit<PageResult<T, Given>, 'parsed'>,
  ): ResponseFor<T, Given>;
  /** @throws InvalidTotalError */
  <T, const Given extends Total | PartialTotal>(
    fetcher: PageFetcher<ParsedQuery<Config>, T, Given>,
  ): Promise<ResponseFor<T, Given>>;
  /** The parsed query of the request. */
  readonly parsed: ParsedQuery<Config>;
  /**
   * The third argument of `buildKeyset` of an adapter. It requests the page of the query.
   * @throws InvalidQueryConfigError if the route does not set `cursors: true`
   */
  readonly cursor: KeysetOptions;
}

export function paginatorOf(
  parsed: AnyParsedQuery,
  cursorFor: (parsed: AnyParsedQuery) => KeysetOptions,
): Paginator {
  const bound = (given: DistributiveOmit<AnyResult, 'parsed'> | AnyFetcher) =>
    paginateAny(typeof given === 'function' ? given : { ...given, parsed }, parsed);
  Object.defineProperty(bound, 'cursor', { get: () => cursorFor(parsed) });
  // The arguments decide which overload was called.
  return Object.assign(bound, { parsed }) as unknown as Paginator;
}

type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;
