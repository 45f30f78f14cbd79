import type { AnyParsedQuery } from './parsed-query.js';

/** The default of `limits.maxRelatedFilters`. */
export const MAX_RELATED_FILTERS = 5;

/**
 * Where a parsed query carries options that are used later: an adapter checks the limit, because it reads from its ORM
 * which fields have several related rows, and `paginate` looks up `pastEnd`. Symbols, so that copies of the query keep
 * them, and its JSON does not have them.
 */
const RELATED_LIMIT = Symbol.for('@fledge/query maxRelatedFilters');
const PAST_END = Symbol.for('@fledge/query pastEnd');

interface CarryingQuery extends AnyParsedQuery {
  readonly [RELATED_LIMIT]?: number;
  readonly [PAST_END]?: 'empty' | 'last';
}

interface CarriedOptions {
  readonly maxRelatedFilters: number;
  readonly pastEnd: 'empty' | 'last';
}

/** The query with the options that are not the defaults. */
export function carrying(
  parsed: AnyParsedQuery,
  { maxRelatedFilters, pastEnd }: CarriedOptions,
): AnyParsedQuery {
  if (maxRelatedFilters === MAX_RELATED_FILTERS && pastEnd === 'empty') return parsed;
  return { ...parsed, [RELATED_LIMIT]: maxRelatedFilters, [PAST_END]: pastEnd } as CarryingQuery;
}

/** How many conditions on relations with several rows a query may have. */
export function relatedLimitOf(parsed: CarryingQuery): number {
  return parsed[RELATED_LIMIT] ?? MAX_RELATED_FILTERS;
}

/** What `paginate` gives for a page after the last one. */
export function pastEndOf(parsed: CarryingQuery): 'empty' | 'last' {
  return parsed[PAST_END] ?? 'empty';
}
