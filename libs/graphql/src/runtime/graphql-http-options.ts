import { LONGEST_TIMER_MS } from '@fledge/core/packages';
import { GraphqlOptionError } from '../graphql.errors.js';

/** Options of `graphqlHttp()`. */
export interface GraphqlHttpOptions {
  /**
   * Answers requests that accept `text/event-stream` with events (GraphQL over SSE, distinct connections), so
   * subscriptions are served over HTTP. `heartbeatMs` is the interval of comments that keep a stream open.
   * @default false; `heartbeatMs` 12000
   */
  readonly eventStreams?: boolean | { readonly heartbeatMs?: number };
  /**
   * Answers an array of operations in one POST with an array of results. `limit` is the maximum number of
   * operations. @default a batch is refused with 400
   */
  readonly batch?: { readonly limit: number };
}

const HEARTBEAT_MS = 12_000;

/**
 * Returns the interval of comments; undefined without event streams.
 * @throws GraphqlOptionError
 */
export function heartbeatOf({ eventStreams = false }: GraphqlHttpOptions): number | undefined {
  if (eventStreams === false) return undefined;
  const given = eventStreams === true ? HEARTBEAT_MS : (eventStreams.heartbeatMs ?? HEARTBEAT_MS);
  if (Number.isSafeInteger(given) && given >= 1 && given <= LONGEST_TIMER_MS) return given;
  throw new GraphqlOptionError(
    `graphqlHttp({ eventStreams: { heartbeatMs } }) is ${JSON.stringify(given)}, but must be a whole number from 1 to ${LONGEST_TIMER_MS}.`,
  );
}

/**
 * Returns the maximum number of operations in a batch; undefined without batches.
 * @throws GraphqlOptionError
 */
export function batchLimitOf({ batch }: GraphqlHttpOptions): number | undefined {
  if (batch === undefined) return undefined;
  // JavaScript applications may pass null or true.
  const limit = (batch as { readonly limit?: unknown } | null)?.limit;
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new GraphqlOptionError(
    `graphqlHttp({ batch: { limit } }) is ${JSON.stringify(limit)}, but must be a whole number of at least 1.`,
  );
}
