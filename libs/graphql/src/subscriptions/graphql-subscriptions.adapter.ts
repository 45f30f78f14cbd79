import { type Introspectable } from '@fledge/core';

/** Sockets and subscriptions of one endpoint. */
export interface GraphqlSubscriptionsSnapshot {
  readonly protocolVersion: 1;
  readonly name: string;
  readonly kind: 'adapter';
  readonly state: { readonly path: string };
  readonly metrics: {
    /** Sockets that are open. */
    readonly connections: number;
    /** Subscriptions that run, over sockets and event streams. */
    readonly activeSubscriptions: number;
    /** Subscriptions since the start. */
    readonly subscriptions: number;
    /** Operations that ended with errors since the start. */
    readonly errors: number;
  };
}

/**
 * The subscriptions of one endpoint: `app.get(GraphqlSubscriptionsAdapter, { strict: false })`. With
 * several endpoints, `{ strict: false, each: true }` returns a list.
 */
export abstract class GraphqlSubscriptionsAdapter implements Introspectable {
  /** Unique in the application: 'GraphqlSubscriptionsAdapter', or made of the name of the mount. */
  abstract readonly name: string;

  /** Where it is, and its numbers. A copy. */
  abstract introspect(): GraphqlSubscriptionsSnapshot;
}
