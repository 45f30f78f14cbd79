import { pastEndOf } from '../parse/options-for-adapters.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidTotalError } from '../query.errors.js';
import {
  checkedRows,
  type CursorFetcher,
  type CursorResponse,
  cursorResponseOf,
  type CursorResult,
  isByCursor,
} from './cursor-page.js';
import {
  countOf,
  type PaginationMeta,
  type PartialTotal,
  type ResponseFor,
  type Total,
} from './paginated-response.js';

/** The rows of a page, the total, and the parsed query. */
export interface PageResult<T, Given extends Total | PartialTotal = Total> {
  readonly data: readonly T[];
  readonly total: Given;
  readonly parsed: Pick<AnyParsedQuery, 'pagination'>;
}

/** The result of a function that fetches rows. Promises in the result are awaited in parallel. */
export interface FetchedPage<T, Given extends Total | PartialTotal = Total> {
  readonly data: readonly T[] | PromiseLike<readonly T[]>;
  readonly total: Given | PromiseLike<Given>;
}

/** Fetches the rows of a parsed query and their total. */
export type PageFetcher<Parsed, T, Given extends Total | PartialTotal = Total> = (
  parsed: Parsed,
) => FetchedPage<T, Given> | PromiseLike<FetchedPage<T, Given>>;

/**
 * Returns the paginated response `{ data, meta }`. Pass fetched rows, or a function that fetches
 * them. Add `total` for a page with a page number, or `cursorOf` for a page with a cursor.
 *
 * @throws InvalidTotalError if a total is not a whole number of 0 or more
 * @throws InvalidQueryConfigError if the rows are not an array
 * @example
 * ```ts
 * const page = paginate({ data, total, parsed });
 * const same = await paginate(({ pagination }) => tasks.find(pagination), parsed);
 * const byCursor = paginate({ data, cursorOf, parsed });
 * ```
 */
export function paginate<T>(result: CursorResult<T>): CursorResponse<T>;
export function paginate<T, Parsed extends Pick<AnyParsedQuery, 'pagination' | 'after' | 'before'>>(
  fetcher: CursorFetcher<Parsed, T>,
  parsed: Parsed,
): Promise<CursorResponse<T>>;
export function paginate<T, const Given extends Total | PartialTotal>(
  result: PageResult<T, Given>,
): ResponseFor<T, Given>;
export function paginate<
  T,
  const Given extends Total | PartialTotal,
  Parsed extends Pick<AnyParsedQuery, 'pagination'>,
>(fetcher: PageFetcher<Parsed, T, Given>, parsed: Parsed): Promise<ResponseFor<T, Given>>;
export function paginate(given: AnyResult | AnyFetcher, parsed?: AnyParsedQuery): unknown {
  return typeof given === 'function' ? fetched(given, parsed as AnyParsedQuery) : responseOf(given);
}

/** `paginate` without overloads. */
export const paginateAny = paginate as (
  given: AnyResult | AnyFetcher,
  parsed?: AnyParsedQuery,
) => unknown;

export type AnyResult = PageResult<unknown, Total | PartialTotal> | CursorResult<unknown>;
export type AnyFetcher =
  | PageFetcher<AnyParsedQuery, unknown, Total | PartialTotal>
  | CursorFetcher<AnyParsedQuery, unknown>;

async function fetched(
  fetcher: AnyFetcher,
  parsed: AnyParsedQuery,
  pastEnd = pastEndOf(parsed),
): Promise<unknown> {
  const page = await fetcher(parsed);
  if (isByCursor(page)) return cursorResponseOf({ ...page, data: await page.data, parsed });
  const [data, total] = await Promise.all([page.data, page.total]);
  checkedRows(data);
  const { limit } = parsed.pagination;
  const last = typeof total === 'object' ? Infinity : Math.ceil(countOf(total) / limit);
  if (pastEnd !== 'last' || parsed.pagination.page <= Math.max(last, 1)) {
    return responseOf({ data, total, parsed });
  }
  const lastPage = { ...parsed, pagination: { page: last, limit, offset: (last - 1) * limit } };
  if (last > 0) return fetched(fetcher, lastPage, 'empty');
  return responseOf({ data, total, parsed: { pagination: { page: 1, limit, offset: 0 } } });
}

function responseOf(result: AnyResult): unknown {
  if (isByCursor(result)) return cursorResponseOf(result);
  const { total, parsed } = result;
  const data = checkedRows(result.data);
  const { pagination } = parsed;
  if (typeof total !== 'object') {
    return { data: [...data], meta: countedMeta(countOf(total), pagination) };
  }
  const { limit } = pagination;
  const isMore = data.length > limit;
  return { data: data.slice(0, limit), meta: partialMeta(total, isMore, pagination) };
}

type Place = AnyParsedQuery['pagination'];

function countedMeta(total: number, { page, limit }: Place): PaginationMeta {
  const totalPages = Math.ceil(total / limit);
  return { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 };
}

/** @param isMore true if there is a row after the page */
function partialMeta(total: PartialTotal, isMore: boolean, place: Place): object {
  const { page, limit } = place;
  // JavaScript can pass null or a promise.
  switch (total?.kind) {
    case 'none':
      return { page, limit, hasNext: isMore, hasPrev: page > 1 };
    case 'capped': {
      const count = countOf(total.counted);
      const meta = countedMeta(Math.min(count, total.cap), place);
      const totalIsLowerBound = count > total.cap;
      return { ...meta, hasNext: isMore || meta.hasNext, totalIsLowerBound };
    }
    case 'estimated': {
      const isExact = total.isExact === true;
      const meta = countedMeta(countOf(total.total), place);
      // An estimate does not prove that there is a next page.
      const hasNext = isMore || (isExact && meta.hasNext);
      return { ...meta, hasNext, totalIsEstimate: !isExact };
    }
    default:
      throw new InvalidTotalError(total);
  }
}
