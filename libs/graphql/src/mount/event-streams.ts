import type { ContextRequest, ContextResponse } from '@fledge/core';
import { GraphQLError } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlContexts } from '../context/graphql-contexts.js';
import { refuseExpired } from '../subscriptions/expiry.js';
import type { GraphqlOperations } from '../subscriptions/graphql-operations.js';
import { type Result, RunningOperation } from '../subscriptions/running-operation.js';
import type { ResolvedLimits } from '../subscriptions/subscription.limits.js';
import type { SubscriptionNumbers } from '../subscriptions/subscription.numbers.js';

/** What the event streams of one mount share with its sockets. */
export interface EventStreamsOptions {
  readonly limits: ResolvedLimits;
  readonly contexts: GraphqlContexts;
  readonly operations: GraphqlOperations;
  readonly numbers: SubscriptionNumbers;
}

let streams = 0;

/** Serves subscriptions over HTTP, as sockets are served: limits, signal, numbers, farewell. */
export class EventStreams {
  private readonly running = new Map<RunningOperation, ServerResponse>();
  /** Streams of each client. */
  private readonly clients = new Map<string, number>();
  private closing = false;

  constructor(private readonly options: EventStreamsOptions) {}

  /** Runs `subscribe` of graphql-js, or of a runtime around it, for a request. Never rejects. */
  async subscribe(
    req: IncomingMessage,
    res: ServerResponse,
    subscribe: () => Result | Promise<Result>,
  ): Promise<Result> {
    const { contexts, operations, numbers } = this.options;
    const client = clientOf(req);
    const operation = new RunningOperation(
      {
        // The runtime counts it for the mount.
        failed: () => numbers.failed(),
        ended: (ended) => {
          operations.delete(ended);
          if (!this.running.delete(ended)) return;
          numbers.ended('subscription');
          this.leave(client);
        },
        // The runtime formats it, as every error.
        lastEvent: (error) => ({ errors: [error] }),
      },
      { transport: 'event-stream', connection: `stream ${(streams += 1)}` },
    );
    try {
      const context = contexts.ofRequest(
        req as object as ContextRequest,
        res as object as ContextResponse,
      );
      if (this.closing || res.destroyed) throw new GraphQLError('The connection is closed');
      if ((this.clients.get(client) ?? 0) >= this.options.limits.maxSubscriptions) {
        throw new GraphQLError('Too many subscriptions');
      }
      // Before the first wait, so that requests at the same time see each other.
      this.enter(operation, res, client);
      // The request runs in its own context already.
      operation.enter(context.ctx, (run) => run());
      operations.add(operation);
      res.once('close', () => operation.end());
      if (!(await this.letIn(context))) throw forbidden();
      refuseExpired(context.ctx);
      return await operation.run(subscribe);
    } catch (error) {
      operation.fail();
      operation.end();
      return { errors: [error instanceof GraphQLError ? error : forbidden()] };
    }
  }

  /** Ends every stream with its last event. Resolves when all clients are gone, or after the grace period. */
  async stop(): Promise<void> {
    this.closing = true;
    const open = [...this.running];
    const gone = open.map(
      ([, res]) => new Promise<void>((resolve) => res.once('close', () => resolve())),
    );
    for (const [operation] of open) operation.end();
    const patience = setTimeout(
      () => open.forEach(([, res]) => res.destroy()),
      this.options.limits.gracePeriodMs,
    );
    await Promise.all(gone);
    clearTimeout(patience);
  }

  private enter(operation: RunningOperation, res: ServerResponse, client: string): void {
    operation.kind = 'subscription';
    this.running.set(operation, res);
    this.clients.set(client, (this.clients.get(client) ?? 0) + 1);
    this.options.numbers.started('subscription');
  }

  private leave(client: string): void {
    const left = (this.clients.get(client) ?? 1) - 1;
    if (left === 0) this.clients.delete(client);
    else this.clients.set(client, left);
  }

  /** As for a socket: what `onConnect` throws is not sent. */
  private async letIn(context: ReturnType<GraphqlContexts['ofRequest']>): Promise<boolean> {
    const { onConnect } = this.options.limits;
    if (onConnect === undefined) return true;
    try {
      return (await onConnect({}, context)) !== false;
    } catch {
      return false;
    }
  }
}

function forbidden(): GraphQLError {
  return new GraphQLError('Forbidden', { extensions: { code: 'FORBIDDEN' } });
}

/** Each event stream has its own connection, so a client is identified by its address and its credentials. */
function clientOf({ socket, headers }: IncomingMessage): string {
  const { 'x-forwarded-for': forwarded, authorization, cookie } = headers;
  return JSON.stringify([socket.remoteAddress, forwarded, authorization, cookie]);
}
