import { buildQueryString } from '../build/query-string.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import type { PaginationMeta } from './paginated-response.js';

/** Relative URLs of other pages. A page that does not exist or is not known is left out. */
export interface PageLinks {
  readonly first: string;
  readonly prev?: string;
  readonly next?: string;
  readonly last?: string;
}

/** The `meta` of any response of `paginate`. */
export type AnyMeta = Pick<PaginationMeta, 'page' | 'limit' | 'hasNext' | 'hasPrev'> & {
  readonly totalPages?: number;
  readonly totalIsLowerBound?: boolean;
  readonly totalIsEstimate?: boolean;
};

/**
 * Relative links to the first, previous, next and last page. The host of `url` is left out, so a forged `Host` header is
 * not sent back. Other parameters of `url` are kept.
 *
 * @param url the URL or the path of the request
 */
export function pageLinks(url: string, parsed: AnyParsedQuery, meta: AnyMeta): PageLinks {
  const { path, others } = partsOf(url, parsed.where === undefined ? OWN : OWN_AND_WHERE);
  const { limit, page, totalPages } = meta;
  const to = (target: number) => {
    const pagination = { page: target, limit, offset: (target - 1) * limit };
    const own = buildQueryString({ ...parsed, pagination });
    return `${path}?${others === '' ? '' : `${others}&`}${own}`;
  };
  const isExact = meta.totalIsLowerBound !== true && meta.totalIsEstimate !== true;
  const last = isExact ? totalPages : undefined;
  return {
    first: to(1),
    // Past the end, this is the last page with rows.
    ...(meta.hasPrev && { prev: to(Math.max(1, Math.min(page - 1, last ?? Infinity))) }),
    ...(meta.hasNext && { next: to(page + 1) }),
    ...(last !== undefined && last > 0 && { last: to(last) }),
  };
}

/** `pageLinks` as the value of a `Link` header (RFC 8288). */
export function linkHeader(url: string, parsed: AnyParsedQuery, meta: AnyMeta): string {
  return Object.entries(pageLinks(url, parsed, meta))
    .map(([rel, target]) => `<${target}>; rel="${rel}"`)
    .join(', ');
}

const OWN = /^(?:filter|sort|page|limit|q)(?:\[|$)/;
// With the option off, `where` is a parameter of the application, and is kept.
const OWN_AND_WHERE = /^(?:filter|where|sort|page|limit|q)(?:\[|$)/;

function partsOf(url: string, own: RegExp): { path: string; others: string } {
  // The base lets paths, full URLs and `//host/path` give a path.
  const { pathname, searchParams } = URL.canParse(url, BASE) ? new URL(url, BASE) : new URL(BASE);
  const others = [...searchParams].filter(([name]) => !own.test(name));
  // A path that starts with two slashes would be resolved as a host.
  const path = pathname.replace(/^\/+/, '/');
  return { path, others: new URLSearchParams(others).toString() };
}

const BASE = 'http://localhost';
