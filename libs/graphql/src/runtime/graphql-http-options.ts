import {
  count,
  feature,
  groupIfGiven,
  type OptionTable,
  readOptions,
} from '@fledge-internal/options';
import { limit, placeOf } from '../option-tables.js';

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

type EventStreams = Extract<GraphqlHttpOptions['eventStreams'], object>;
type Batch = NonNullable<GraphqlHttpOptions['batch']>;

const EVENT_STREAMS = { heartbeatMs: limit.default(12_000) } satisfies OptionTable<EventStreams>;
const BATCH = { limit: count.required } satisfies OptionTable<Batch>;

const OPTIONS = {
  eventStreams: feature<EventStreams, typeof EVENT_STREAMS>(EVENT_STREAMS),
  batch: groupIfGiven<Batch, typeof BATCH>(BATCH),
} satisfies OptionTable<GraphqlHttpOptions>;

/**
 * Checks the options and applies the defaults. Event streams and batches are undefined if they are off.
 * @throws GraphqlOptionError
 */
export function readHttpOptions(options: GraphqlHttpOptions) {
  return readOptions(options, OPTIONS, placeOf('graphqlHttp'));
}
