/** Numbers of a mount, over all its transports, since the application started. */
export interface OperationNumbers {
  /** Queries that reached execution. */
  readonly queries: number;
  /** Mutations that reached execution. */
  readonly mutations: number;
  /** Operations that ended with errors, those refused before execution included; each counts once. */
  readonly errors: number;
}

/** Counts the operations of one mount. */
export class OperationCounts {
  private numbers = { queries: 0, mutations: 0, errors: 0 };

  get queries(): number {
    return this.numbers.queries;
  }

  get mutations(): number {
    return this.numbers.mutations;
  }

  get errors(): number {
    return this.numbers.errors;
  }

  /** An operation reached execution. Subscriptions are counted by who serves them. */
  started(kind: 'query' | 'mutation' | 'subscription'): void {
    if (kind === 'query') this.numbers.queries += 1;
    else if (kind === 'mutation') this.numbers.mutations += 1;
  }

  /** An operation ended with errors, or was refused. Call it once for each. */
  failed(): void {
    this.numbers.errors += 1;
  }

  /** A copy. */
  snapshot(): OperationNumbers {
    return { ...this.numbers };
  }
}
