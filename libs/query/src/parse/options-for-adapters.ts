import type { AnyParsedQuery } from './parsed-query.js';

/** The default of `limits.maxRelatedFilters`. */
export const MAX_RELATED_FILTERS = 5;

/**
 * Keys of options in a parsed query, for code that runs later. Adapters read `maxRelatedFilters`,
 * because only the ORM's metadata shows which relations have several rows. `paginate` reads
 * `pastEnd`. The keys are symbols: copies of the query keep the options, but JSON does not contain
 * them.
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

/** Returns the query with the options, if they differ from the defaults. */
export function carrying(
  parsed: AnyParsedQuery,
  { maxRelatedFilters, pastEnd }: CarriedOptions,
): AnyParsedQuery {
  if (maxRelatedFilters === MAX_RELATED_FILTERS && pastEnd === 'empty') return parsed;
  return { ...parsed, [RELATED_LIMIT]: maxRelatedFilters, [PAST_END]: pastEnd } as CarryingQuery;
}

export function relatedLimitOf(parsed: CarryingQuery): number {
  return parsed[RELATED_LIMIT] ?? MAX_RELATED_FILTERS;
}

export function pastEndOf(parsed: CarryingQuery): 'empty' | 'last' {
  return parsed[PAST_END] ?? 'empty';
}
