import type { RequestContext } from '@fledge/core';
import { type RefusalOf, RequestRevocations } from '@fledge/core/packages';
import { Injectable } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import { asGraphqlError } from '../operation/formatted-error.js';
import type { LiveOperation, RunningOperation } from './running-operation.js';

/** An open socket. */
export interface LiveSocket {
  readonly connection: string;
  /** The context of `onConnect`; undefined without `onConnect`. */
  readonly ctx: RequestContext | undefined;
}

interface OpenSocket extends LiveSocket {
  disconnect(): void;
}

/**
 * Lists and ends the operations that run in this process, over sockets and event streams of all GraphQL
 * endpoints: `app.get(GraphqlOperations, { strict: false })`.
 *
 * @example
 * ```ts
 * operations.disconnect(({ ctx }) => ctx?.get<User>('user')?.id === id);
 * operations.end(({ ctx }) => ctx.get<User>('user')?.id === id);
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
   * Ends operations; their sockets stay open. Clients get the error and may subscribe again.
   * @param which selects operations. Runs in the context of each, so it can read an injected tenant or user
   * @param error the error clients get @default an error with the code `SUBSCRIPTION_ENDED`
   * @returns the number of operations ended
   */
  end(which: (operation: LiveOperation) => boolean, error: Error = ended()): number {
    const chosen = [...this.running].filter(
      (operation) => operation.live && operation.within(() => which(operation.live!)),
    );
    for (const operation of chosen) operation.end(asGraphqlError(error));
    return chosen.length;
  }

  /**
   * Closes sockets with 4403, which ends their operations. Clients of graphql-ws do not reconnect after this
   * code. Use it if `onConnect` determines the user, because it runs once for a socket.
   * @returns the number of sockets closed
   */
  disconnect(which: (socket: LiveSocket) => boolean): number {
    const chosen = [...this.sockets].filter(which);
    for (const socket of chosen) socket.disconnect();
    return chosen.length;
  }

  /** For transports: adds an operation that has its context. Call `delete` when it ends. */
  add(operation: RunningOperation): void {
    this.running.add(operation);
  }

  delete(operation: RunningOperation): void {
    this.running.delete(operation);
  }

  /** For transports: adds an open socket. Returns a function that removes it. */
  opened(socket: OpenSocket): () => void {
    this.sockets.add(socket);
    return () => this.sockets.delete(socket);
  }

  /** Ends the operations that a revocation refuses. */
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

function ended(): GraphQLError {
  return new GraphQLError('The server ended the subscription', {
    extensions: { code: 'SUBSCRIPTION_ENDED' },
  });
}
