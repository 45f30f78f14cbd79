import type { AnyParsedQuery } from './parsed-query.js';

/** The default of `limits.maxRelatedFilters`. */
export const MAX_RELATED_FILTERS = 5;

/**
 * Keys of options in a parsed query, for code that runs later. Adapters read `maxRelatedFilters`,
 * because only the ORM's metadata shows which relations have several rows. Adapters read `strict`,
 * because their config may lack fields of the query. `paginate` reads `pastEnd`. The keys are
 * symbols: copies of the query keep the options, but JSON does not contain them.
 */
const RELATED_LIMIT = Symbol.for('@fledge/query maxRelatedFilters');
const STRICT = Symbol.for('@fledge/query strict');
const PAST_END = Symbol.for('@fledge/query pastEnd');

interface CarryingQuery extends AnyParsedQuery {
  readonly [RELATED_LIMIT]?: number;
  readonly [STRICT]?: boolean;
  readonly [PAST_END]?: 'empty' | 'last';
}

interface CarriedOptions {
  readonly maxRelatedFilters: number;
  readonly strict: boolean;
  readonly pastEnd: 'empty' | 'last';
}

/** Returns the query with the options, if they differ from the defaults. */
export function carrying(
  parsed: AnyParsedQuery,
  { maxRelatedFilters, strict, pastEnd }: CarriedOptions,
): AnyParsedQuery {
  if (maxRelatedFilters === MAX_RELATED_FILTERS && !strict && pastEnd === 'empty') return parsed;
  const options = { [RELATED_LIMIT]: maxRelatedFilters, [STRICT]: strict, [PAST_END]: pastEnd };
  return { ...parsed, ...options } as CarryingQuery;
}

export function relatedLimitOf(parsed: CarryingQuery): number {
  return parsed[RELATED_LIMIT] ?? MAX_RELATED_FILTERS;
}

/** True with `onInvalid: 'throw'`. */
export function isStrict(parsed: CarryingQuery): boolean {
  return parsed[STRICT] === true;
}

export function pastEndOf(parsed: CarryingQuery): 'empty' | 'last' {
  return parsed[PAST_END] ?? 'empty';
}
