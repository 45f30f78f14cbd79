import type { Introspectable } from '@fledge/core';
import type { OperationTypeNode } from 'graphql';

/** The introspection snapshot of one endpoint's sockets and subscriptions. */
export interface GraphqlSubscriptionsSnapshot {
  readonly protocolVersion: 1;
  readonly name: string;
  readonly kind: 'adapter';
  readonly state: { readonly path: string };
  readonly metrics: {
    /** Number of open sockets. */
    readonly connections: number;
    /** Number of running subscriptions, over sockets and event streams. */
    readonly activeSubscriptions: number;
    /** Number of subscriptions since startup. */
    readonly subscriptions: number;
    /** Number of operations that ended with errors since startup. */
    readonly errors: number;
  };
}

/**
 * The subscriptions of one endpoint: `app.get(GraphqlSubscriptionsAdapter, { strict: false })`. If
 * there are several endpoints, `{ strict: false, each: true }` returns a list.
 */
export abstract class GraphqlSubscriptionsAdapter implements Introspectable {
  /**
   * A unique name: 'GraphqlSubscriptionsAdapter', or the name of the mount followed by
   * `Subscriptions`.
   */
  abstract readonly name: string;

  /** Returns the path and the counts. */
  abstract introspect(): GraphqlSubscriptionsSnapshot;
}

type Kind = `${OperationTypeNode}` | undefined;

/** Counts the subscriptions and the failed operations of one endpoint. */
export class SubscriptionNumbers {
  private readonly numbers = { activeSubscriptions: 0, subscriptions: 0, errors: 0 };

  started(kind: Kind): void {
    if (kind !== 'subscription') return;
    this.numbers.activeSubscriptions += 1;
    this.numbers.subscriptions += 1;
  }

  ended(kind: Kind): void {
    if (kind === 'subscription') this.numbers.activeSubscriptions -= 1;
  }

  failed(): void {
    this.numbers.errors += 1;
  }

  snapshot(): Omit<GraphqlSubscriptionsSnapshot['metrics'], 'connections'> {
    return { ...this.numbers };
  }
}
