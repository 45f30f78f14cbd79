import { type RefusalOf, type RequestContext, RequestRevocations } from '@fledge/core';
import { Injectable } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import { asGraphqlError } from '../operation/formatted-error.js';
import type { LiveOperation } from './live-operation.js';
import type { RunningOperation } from './running-operation.js';

/** A socket that is open. */
export interface LiveSocket {
  readonly connection: string;
  /** The context that `onConnect` got; undefined without `onConnect`. */
  readonly ctx: RequestContext | undefined;
}

interface OpenSocket extends LiveSocket {
  disconnect(): void;
}

/**
 * The operations that run in this process over sockets and event streams of every GraphQL endpoint,
 * to list them and to end them: `app.get(GraphqlOperations, { strict: false })`.
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

  /** Returns what runs now. A copy. */
  list(): readonly LiveOperation[] {
    return [...this.running].flatMap((operation) => operation.live ?? []);
  }

  /**
   * Ends operations; their sockets stay open. Clients get the error and may subscribe again.
   * @param which runs in the context of each operation, so that it may read an injected tenant or user
   * @param error what clients get @default code `SUBSCRIPTION_ENDED`
   * @returns how many were ended
   */
  end(which: (operation: LiveOperation) => boolean, error: Error = ended()): number {
    const chosen = [...this.running].filter(
      (operation) => operation.live && operation.within(() => which(operation.live!)),
    );
    for (const operation of chosen) operation.end(asGraphqlError(error));
    return chosen.length;
  }

  /**
   * Closes sockets with 4403, which ends their operations; clients of graphql-ws do not come back by
   * themselves. Use it where `onConnect` says who the user is, which holds for the life of the socket.
   * @returns how many were closed
   */
  disconnect(which: (socket: LiveSocket) => boolean): number {
    const chosen = [...this.sockets].filter(which);
    for (const socket of chosen) socket.disconnect();
    return chosen.length;
  }

  /** For transports: an operation has its context now. It leaves when it ends. */
  add(operation: RunningOperation): void {
    this.running.add(operation);
  }

  delete(operation: RunningOperation): void {
    this.running.delete(operation);
  }

  /** For transports: a socket is open. The result takes it out. */
  opened(socket: OpenSocket): () => void {
    this.sockets.add(socket);
    return () => this.sockets.delete(socket);
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

function ended(): GraphQLError {
  return new GraphQLError('The server ended the subscription', {
    extensions: { code: 'SUBSCRIPTION_ENDED' },
  });
}
