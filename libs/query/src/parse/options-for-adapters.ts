import type { AnyParsedQuery } from './parsed-query.js';

/** The default of `limits.maxRelatedFilters`. */
export const MAX_RELATED_FILTERS = 5;

/**
 * The key of options in a parsed query, for code that runs later. Adapters read
 * `maxRelatedFilters`, because only the ORM's metadata shows which relations have several rows.
 * Adapters read `strict`, because their config may lack fields of the query. `paginate` reads
 * `pastEnd`. The key is a symbol: copies of the query keep the options, but JSON does not contain
 * them.
 */
const CARRIED = Symbol.for('@fledge/query options');

interface CarriedOptions {
  readonly maxRelatedFilters: number;
  readonly strict: boolean;
  readonly pastEnd: 'empty' | 'last';
}

interface CarryingQuery extends AnyParsedQuery {
  readonly [CARRIED]?: CarriedOptions;
}

/** Adds the options to the query, if they differ from the defaults. */
export function carry(
  parsed: AnyParsedQuery,
  { maxRelatedFilters, strict, pastEnd }: CarriedOptions,
): void {
  if (maxRelatedFilters === MAX_RELATED_FILTERS && !strict && pastEnd === 'empty') return;
  Object.assign(parsed, { [CARRIED]: { maxRelatedFilters, strict, pastEnd } });
}

export function relatedLimitOf(parsed: CarryingQuery): number {
  return parsed[CARRIED]?.maxRelatedFilters ?? MAX_RELATED_FILTERS;
}

/** True with `onInvalid: 'throw'`. */
export function isStrict(parsed: CarryingQuery): boolean {
  return parsed[CARRIED]?.strict === true;
}

export function pastEndOf(parsed: CarryingQuery): 'empty' | 'last' {
  return parsed[CARRIED]?.pastEnd ?? 'empty';
}
