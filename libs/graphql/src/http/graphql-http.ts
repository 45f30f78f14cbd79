import {
  count,
  feature,
  groupIfGiven,
  oneOf,
  type OptionTable,
  readOptions,
} from '@fledge-internal/options';
import { limit, placeOf } from '../graphql.defaults.js';
import { HttpPipeline } from './pipeline.js';
import { type GraphqlRuntime, type GraphqlRuntimeDeps, refuseUncalled } from './runtime.js';

/** Options of `graphqlHttp()`. */
export interface GraphqlHttpOptions {
  /**
   * Sends events to clients that accept `text/event-stream` (GraphQL over SSE, distinct connections
   * mode), so subscriptions work over HTTP. `heartbeatMs` is the number of milliseconds between two
   * comments. Comments keep a stream open.
   * @default false; `heartbeatMs` 12000
   */
  readonly eventStreams?: boolean | { readonly heartbeatMs?: number };
  /**
   * Accepts an array of operations in one POST request, and returns an array of results. `limit` is
   * the maximum number of operations.
   * @default a batch is rejected with 422
   */
  readonly batch?: { readonly limit: number };
  /**
   * HTTP status of errors for clients that do not accept `application/graphql-response+json`. With
   * `'ok'`, a well-formed request has status 200: Apollo Client 3 and other clients treat any other
   * status as a network failure and drop the errors. With `'exact'`, each error has its own status
   * and the media type `application/graphql-response+json`, as GraphQL over HTTP recommends.
   * @default 'ok'
   */
  readonly jsonStatus?: 'ok' | 'exact';
}

type EventStreams = Extract<GraphqlHttpOptions['eventStreams'], object>;
type Batch = NonNullable<GraphqlHttpOptions['batch']>;

const EVENT_STREAMS = { heartbeatMs: limit.default(12_000) } satisfies OptionTable<EventStreams>;
const BATCH = { limit: count.required } satisfies OptionTable<Batch>;

const OPTIONS = {
  eventStreams: feature<EventStreams, typeof EVENT_STREAMS>(EVENT_STREAMS),
  batch: groupIfGiven<Batch, typeof BATCH>(BATCH),
  jsonStatus: oneOf('ok', 'exact').default('ok'),
} satisfies OptionTable<GraphqlHttpOptions>;

/**
 * The default runtime: GraphQL over HTTP, first release (September 2026). Accepts only JSON: GET
 * for queries, POST for queries and mutations. Responds with JSON. Options enable event streams and
 * batches.
 * @throws GraphqlOptionError
 */
export function graphqlHttp(options: GraphqlHttpOptions = {}): GraphqlRuntime {
  refuseUncalled(options, 'graphqlHttp');
  const read = readOptions(options, OPTIONS, placeOf('graphqlHttp'));
  const handler = (deps: GraphqlRuntimeDeps) => {
    const pipeline = new HttpPipeline(deps, read);
    return pipeline.serve.bind(pipeline);
  };
  return Object.assign(handler, {
    counts: true,
    documents: true,
    forms: true,
    streams: read.eventStreams !== undefined,
    library: '@fledge/graphql',
  });
}
