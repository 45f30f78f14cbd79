import type { AnyParsedQuery } from './parsed-query.js';

/** The default of `limits.maxRelatedFilters`. */
export const MAX_RELATED_FILTERS = 5;

/**
 * Where a parsed query carries the limit, which only an adapter can check: it reads from its ORM which fields have
 * several related rows. A symbol, so that copies of the query keep it, and its JSON does not have it.
 */
const LIMIT = Symbol.for('@fledge/query maxRelatedFilters');

interface LimitedQuery extends AnyParsedQuery {
  readonly [LIMIT]?: number;
}

/** The query with a limit that is not the default. */
export function withRelatedLimit(parsed: AnyParsedQuery, limit: number): LimitedQuery {
  return limit === MAX_RELATED_FILTERS ? parsed : { ...parsed, [LIMIT]: limit };
}

/** How many conditions on relations with several rows a query may have. */
export function relatedLimitOf(parsed: LimitedQuery): number {
  return parsed[LIMIT] ?? MAX_RELATED_FILTERS;
}
