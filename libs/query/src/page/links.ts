import { buildQueryParams, buildQueryString } from '../build/query-params.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import type { CursorMeta } from './cursor-page.js';
import type { PaginationMeta } from './paginated-response.js';

/**
 * Relative URLs of other pages. A link is missing if the page does not exist or its number is not
 * known.
 */
export interface PageLinks {
  readonly first: string;
  readonly prev?: string;
  readonly next?: string;
  readonly last?: string;
}

/** The `meta` of each kind of response. */
export type AnyMeta = NumberedMeta | CursorMeta;

/** The `meta` of a page with a page number. */
export type NumberedMeta = Pick<PaginationMeta, 'page' | 'limit' | 'hasNext' | 'hasPrev'> & {
  readonly totalPages?: number;
  readonly totalIsLowerBound?: boolean;
  readonly totalIsEstimate?: boolean;
};

/**
 * Returns relative links to the first, previous, next and last page. A list with cursors has no
 * link to the last page. Omits the host of `url`, so a forged `Host` header is not sent back. Keeps
 * other parameters of `url`.
 *
 * @param url the URL or the path of the request
 */
export function pageLinks(url: string, parsed: AnyParsedQuery, meta: AnyMeta): PageLinks {
  return linksTo(url, parsed, meta, ownParameters(parsed, meta));
}

function linksTo(
  url: string,
  parsed: AnyParsedQuery,
  meta: AnyMeta,
  own: ReadonlySet<string>,
): PageLinks {
  const { path, others } = partsOf(url, own);
  const link: LinkTo = (query) => `${path}?${others === '' ? '' : `${others}&`}${query}`;
  return 'nextCursor' in meta ? cursorLinks(parsed, meta, link) : numberedLinks(parsed, meta, link);
}

/** Returns the URL with a query string. */
type LinkTo = (own: string) => string;

function cursorLinks(
  { after: _after, before: _before, ...list }: AnyParsedQuery,
  { nextCursor, prevCursor }: CursorMeta,
  link: LinkTo,
): PageLinks {
  const to = (place: { readonly after: string } | { readonly before: string }) =>
    buildQueryString({ ...list, ...place });
  const first = new URLSearchParams(to({ after: 'first' }));
  first.delete('after');
  return {
    first: link(first.toString()),
    ...(prevCursor !== null && { prev: link(to({ before: prevCursor })) }),
    ...(nextCursor !== null && { next: link(to({ after: nextCursor })) }),
  };
}

function numberedLinks(parsed: AnyParsedQuery, meta: NumberedMeta, link: LinkTo): PageLinks {
  const { limit, page, totalPages } = meta;
  const to = (target: number) =>
    link(
      buildQueryString({
        ...parsed,
        pagination: { page: target, limit, offset: (target - 1) * limit },
      }),
    );
  const isExact = meta.totalIsLowerBound !== true && meta.totalIsEstimate !== true;
  const last = isExact ? totalPages : undefined;
  return {
    first: to(1),
    // If the requested page does not exist, the link `prev` goes to the last page.
    ...(meta.hasPrev && { prev: to(Math.max(1, Math.min(page - 1, last ?? Infinity))) }),
    ...(meta.hasNext && { next: to(page + 1) }),
    ...(last !== undefined && last > 0 && { last: to(last) }),
  };
}

/** Returns the links as the value of a `Link` header (RFC 8288). */
export function linkHeader(url: string, parsed: AnyParsedQuery, meta: AnyMeta): string {
  return headerOf(pageLinks(url, parsed, meta));
}

/** Like `linkHeader`, but keeps the parameters of `url` as they are, except for the page. */
export function rawLinkHeader(url: string, meta: AnyMeta): string {
  const pagination = { page: 1, limit: meta.limit, offset: 0 };
  const own = ['limit', 'page', ...('nextCursor' in meta ? ['after', 'before'] : [])];
  const parsed = { filters: [], sort: [], search: '', pagination };
  return headerOf(linksTo(url, parsed, meta, new Set(own)));
}

function headerOf(links: PageLinks): string {
  return Object.entries(links)
    .map(([rel, target]) => `<${target}>; rel="${rel}"`)
    .join(', ');
}

/** Names of the parameters that links change. Other parameters belong to the application. */
function ownParameters(parsed: AnyParsedQuery, meta: AnyMeta): ReadonlySet<string> {
  const cursors = 'nextCursor' in meta ? ['after', 'before'] : [];
  const always = ['filter', 'sort', 'page', 'limit', 'q', ...cursors];
  return new Set([...always, ...Object.keys(buildQueryParams(parsed))]);
}

function partsOf(url: string, own: ReadonlySet<string>): { path: string; others: string } {
  // The base makes it possible to parse paths, full URLs and `//host/path`.
  const { pathname, searchParams } = URL.canParse(url, BASE) ? new URL(url, BASE) : new URL(BASE);
  const others = [...searchParams].filter(([name]) => !own.has(name.split('[', 1)[0] as string));
  // `//path` would be read as a host.
  const path = pathname.replace(/^\/+/, '/');
  return { path, others: new URLSearchParams(others).toString() };
}

const BASE = 'http://localhost';
