import type { AnyParsedQuery } from './parsed-query.js';

/** The default of `limits.maxRelatedFilters`. */
export const MAX_RELATED_FILTERS = 5;

/**
 * Keys under which a parsed query carries options that are used later. An adapter checks
 * `maxRelatedFilters`, because only the ORM's metadata shows which fields have several related
 * rows, and `paginate` reads `pastEnd`. The keys are symbols, so that copies of the query keep the
 * options, but its JSON does not contain them.
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

/** Returns the query with the options that differ from the defaults. */
export function carrying(
  parsed: AnyParsedQuery,
  { maxRelatedFilters, pastEnd }: CarriedOptions,
): AnyParsedQuery {
  if (maxRelatedFilters === MAX_RELATED_FILTERS && pastEnd === 'empty') return parsed;
  return { ...parsed, [RELATED_LIMIT]: maxRelatedFilters, [PAST_END]: pastEnd } as CarryingQuery;
}

/** Returns how many conditions on relations with several rows a query may have. */
export function relatedLimitOf(parsed: CarryingQuery): number {
  return parsed[RELATED_LIMIT] ?? MAX_RELATED_FILTERS;
}

/** Returns which page `paginate` returns for a page after the last one. */
export function pastEndOf(parsed: CarryingQuery): 'empty' | 'last' {
  return parsed[PAST_END] ?? 'empty';
}
