import type { OperationCounter } from './served-schema.js';

/** Counts of one endpoint over all transports, since startup. */
export interface OperationNumbers {
  /** Queries that reached execution. */
  readonly queries: number;
  /** Mutations that reached execution. */
  readonly mutations: number;
  /**
   * Operations that ended with errors or were rejected before execution. Each operation counts
   * once.
   */
  readonly errors: number;
}

/** Counts the operations of one endpoint. */
export class OperationCounts implements OperationCounter {
  private numbers = { queries: 0, mutations: 0, errors: 0 };

  /** Counts a query or mutation. Ignores subscriptions, which `SubscriptionNumbers` counts. */
  started(kind: 'query' | 'mutation' | 'subscription'): void {
    if (kind === 'query') this.numbers.queries += 1;
    else if (kind === 'mutation') this.numbers.mutations += 1;
  }

  failed(): void {
    this.numbers.errors += 1;
  }

  snapshot(): OperationNumbers {
    return { ...this.numbers };
  }
}
