import type { RequestContext } from '@fledge/core';
import { type RefusalOf, RequestRevocations } from '@fledge/core/packages';
import { Injectable } from '@nestjs/common';
import { GraphqlOptionError } from '../graphql.errors.js';
import { asGraphqlError, codedError } from '../operation/formatted-error.js';
import type { LiveOperation } from './subscription.options.js';
import { type OperationFilter, predicateOf } from './operation-filter.js';
import type { CheckResult } from './operation-checks.js';
import type { RunningOperation } from './running-operation.js';

/** An open socket. */
export interface LiveSocket {
  readonly connection: string;
  /** The context of `onConnect`. Undefined if there is no `onConnect`. */
  readonly ctx: RequestContext | undefined;
}

/** The results of a revalidation, as numbers of subscriptions. */
export interface RevalidationResult {
  readonly valid: number;
  /** Includes subscriptions that ended for another reason while they were checked. */
  readonly ended: number;
  /**
   * Subscriptions with a failed check. Each subscription continues until `maxFailures` of its
   * checks have failed.
   */
  readonly failed: number;
}

interface OpenSocket extends LiveSocket {
  disconnect(): void;
}

/**
 * Lists and ends the operations that run in this process, over sockets and event streams of all
 * GraphQL endpoints: `app.get(GraphqlOperations, { strict: false })`.
 *
 * @example
 * ```ts
 * operations.disconnect({ user: id });
 * operations.end({ user: id });
 * operations.end(({ ctx }) => ctx.get<User>('user')?.team === team);
 * ```
 */
@Injectable()
export class GraphqlOperations {
  private readonly running = new Set<RunningOperation>();
  private readonly sockets = new Set<OpenSocket>();

  constructor(revocations: RequestRevocations) {
    revocations.listen((refusalOf) => this.check(refusalOf));
  }

  /** Returns the running operations. */
  list(): readonly LiveOperation[] {
    return [...this.running].flatMap((operation) => operation.live ?? []);
  }

  /**
   * Ends operations. Their sockets stay open. Clients receive the error, and may subscribe again.
   * @param which a filter that selects the operations. A function runs in the context of each
   * operation, so it can read an injected tenant or user
   * @param error the error that clients receive. By default, an error with the code
   * `SUBSCRIPTION_ENDED`
   * @returns the number of operations that were ended
   * @throws GraphqlOptionError for a filter that selects all operations
   */
  end(
    which: OperationFilter | ((operation: LiveOperation) => boolean),
    error: Error = codedError('The server ended the subscription', 'SUBSCRIPTION_ENDED'),
  ): number {
    const chosen = this.select(predicateOf(which, 'GraphqlOperations.end'));
    for (const operation of chosen) operation.end(asGraphqlError(error));
    return chosen.length;
  }

  /**
   * Closes sockets with 4403. Their operations end. Clients of graphql-ws do not reconnect after
   * this code. Use this if `onConnect` determines the user, because `onConnect` runs only once for
   * a socket. The filter reads the user and the tenant from the context of `onConnect`.
   * @returns the number of sockets that were closed
   * @throws GraphqlOptionError for a filter that selects all sockets
   */
  disconnect(which: OperationFilter | ((socket: LiveSocket) => boolean)): number {
    const chosen = [...this.sockets].filter(predicateOf(which, 'GraphqlOperations.disconnect'));
    for (const socket of chosen) socket.disconnect();
    return chosen.length;
  }

  /**
   * Checks running subscriptions again, and ends each subscription that is no longer allowed. The
   * check runs their context decorators, guards, tenant and token checks, and the `check` of the
   * option `revalidate`.
   * @param which a filter that selects the subscriptions, like the same parameter of `end()`. By
   * default, all
   * @returns the results, after all subscriptions were checked
   * @throws GraphqlOptionError if a subscription belongs to an endpoint without the option
   * `revalidate`
   */
  async revalidate(
    which: OperationFilter | ((operation: LiveOperation) => boolean) = () => true,
  ): Promise<RevalidationResult> {
    const chosen = this.select(predicateOf(which, 'GraphqlOperations.revalidate')).filter(
      ({ live }) => (live?.kind ?? 'subscription') === 'subscription',
    );
    const without = chosen.find(({ revalidation }) => revalidation === undefined);
    if (without !== undefined) {
      throw new GraphqlOptionError(
        `GraphqlOperations.revalidate() selects a subscription (${without.live!.transport}) whose endpoint ` +
          'does not set the option `revalidate`. Set revalidate: true in the subscription options of the endpoint.',
      );
    }
    const results = await Promise.all(chosen.map(async (operation) => operation.revalidate()));
    const count = (kind: CheckResult) => results.filter((result) => result === kind).length;
    return { valid: count('valid'), ended: count('ended'), failed: count('failed') };
  }

  /**
   * Adds an operation that has a context. Only transports call this. Call `delete` when the
   * operation ends.
   */
  add(operation: RunningOperation): void {
    this.running.add(operation);
  }

  delete(operation: RunningOperation): void {
    this.running.delete(operation);
  }

  /** Adds an open socket. Only transports call this. Returns a function that removes the socket. */
  opened(socket: OpenSocket): () => void {
    this.sockets.add(socket);
    return () => this.sockets.delete(socket);
  }

  private select(which: (operation: LiveOperation) => boolean): RunningOperation[] {
    return [...this.running].filter(
      (operation) => operation.live && operation.within(() => which(operation.live!)),
    );
  }

  private check(refusalOf: RefusalOf): void {
    for (const operation of this.running) {
      const { live } = operation;
      if (live === undefined) continue;
      void Promise.resolve(refusalOf(live.ctx)).then((refusal) => {
        if (refusal !== undefined) operation.end(asGraphqlError(refusal));
      });
    }
  }
}
