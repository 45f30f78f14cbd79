import type { OperationTypeNode } from 'graphql';

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

  /** @param kind the kind of an operation that started */
  ended(kind: Kind): void {
    if (kind === 'subscription') this.activeSubscriptions -= 1;
  }

  failed(): void {
    this.errors += 1;
  }

  /** Returns a copy. */
  snapshot(): {
    readonly activeSubscriptions: number;
    readonly subscriptions: number;
    readonly errors: number;
  } {
    const { activeSubscriptions, subscriptions, errors } = this;
    return { activeSubscriptions, subscriptions, errors };
  }
}
