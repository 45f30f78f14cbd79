import type { Introspectable } from '@fledge/core';
import type { OperationTypeNode } from 'graphql';

/** The introspection snapshot of one endpoint's sockets and subscriptions. */
export interface GraphqlSubscriptionsSnapshot {
  readonly protocolVersion: 1;
  readonly name: string;
  readonly kind: 'adapter';
  readonly state: { readonly path: string };
  readonly metrics: {
    /** Open sockets. */
    readonly connections: number;
    /** Running subscriptions, over sockets and event streams. */
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
  /** Unique in the application: 'GraphqlSubscriptionsAdapter', or the mount's name with `Subscriptions`. */
  abstract readonly name: string;

  /** Returns the path and the counts. */
  abstract introspect(): GraphqlSubscriptionsSnapshot;
}

type Kind = `${OperationTypeNode}` | undefined;

/** Counts the subscriptions of one endpoint, and its failed operations. */
export class SubscriptionNumbers {
  private activeSubscriptions = 0;
  private subscriptions = 0;
  private errors = 0;

  started(kind: Kind): void {
    if (kind !== 'subscription') return;
    this.activeSubscriptions += 1;
    this.subscriptions += 1;
  }

  ended(kind: Kind): void {
    if (kind === 'subscription') this.activeSubscriptions -= 1;
  }

  failed(): void {
    this.errors += 1;
  }

  snapshot(): Omit<GraphqlSubscriptionsSnapshot['metrics'], 'connections'> {
    const { activeSubscriptions, subscriptions, errors } = this;
    return { activeSubscriptions, subscriptions, errors };
  }
}
