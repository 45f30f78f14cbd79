import { buildQueryString } from '../build/query-string.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import type { PaginationMeta } from './paginated-response.js';

/** References to other pages; those that are not known are left out. */
export interface PageLinks {
  readonly first: string;
  readonly prev?: string;
  readonly next?: string;
  readonly last?: string;
}

/** The meta of any response of `paginate`. */
export type AnyMeta = Pick<PaginationMeta, 'page' | 'limit' | 'hasNext' | 'hasPrev'> & {
  readonly totalPages?: number;
  readonly totalIsLowerBound?: boolean;
  readonly totalIsEstimate?: boolean;
};

/**
 * Links to the pages around this one. They are relative, of the path of `url` and never of a host: what a
 * client wrote into `Host` does not come back. Other parameters of `url` stay.
 */
export function pageLinks(url: string, parsed: AnyParsedQuery, meta: AnyMeta): PageLinks {
  const { path, others } = partsOf(url);
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
    // From a page past the end, back to the last that has rows.
    ...(meta.hasPrev && { prev: to(Math.max(1, Math.min(page - 1, last ?? Infinity))) }),
    ...(meta.hasNext && { next: to(page + 1) }),
    ...(last !== undefined && last > 0 && { last: to(last) }),
  };
}

/** The same as a `Link` header (RFC 8288). */
export function linkHeader(url: string, parsed: AnyParsedQuery, meta: AnyMeta): string {
  return Object.entries(pageLinks(url, parsed, meta))
    .map(([rel, target]) => `<${target}>; rel="${rel}"`)
    .join(', ');
}

const OWN = /^(?:filter|sort|page|limit|q)(?:\[|$)/;

function partsOf(url: string): { path: string; others: string } {
  // A base of our own, so that paths, full URLs and `//host/path` all give a path.
  const { pathname, searchParams } = URL.canParse(url, BASE) ? new URL(url, BASE) : new URL(BASE);
  const others = [...searchParams].filter(([name]) => !OWN.test(name));
  // Two slashes at the start would be a host to whoever resolves the reference.
  const path = pathname.replace(/^\/+/, '/');
  return { path, others: new URLSearchParams(others).toString() };
}

const BASE = 'http://localhost';
