import type { ContextRequest, ContextResponse, RequestContext } from '@fledge/core';
import { GraphQLError } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlContexts } from '../context/graphql-contexts.js';
import type { OperationResult } from '../http/runtime.js';
import { refuseExpired } from '../subscriptions/expiry.js';
import type { GraphqlOperations } from '../subscriptions/graphql-operations.js';
import type { Places } from '../subscriptions/places.js';
import { recordValues, setValues } from '../subscriptions/recorded-values.js';
import { checkOf } from '../subscriptions/readmission.js';
import type { Revalidation } from '../subscriptions/revalidation.js';
import { RunningOperation } from '../subscriptions/running-operation.js';
import type { ResolvedLimits } from '../option-tables.js';
import type { SubscriptionNumbers } from '../subscriptions/subscription-numbers.js';

/** The limits, list and counts that the event streams of a mount share with its sockets. */
export interface EventStreamsOptions {
  readonly limits: ResolvedLimits;
  readonly contexts: GraphqlContexts;
  readonly operations: GraphqlOperations;
  readonly numbers: SubscriptionNumbers;
  readonly places: Places;
  readonly revalidation: Revalidation | undefined;
  /** Runs openers and context decorators in a context. */
  readonly before: (ctx: RequestContext) => void | Promise<void>;
}

interface OpenStream {
  readonly res: ServerResponse;
  readonly client: string;
  readonly freePlace: () => void;
}

let streams = 0;

/** Serves subscriptions as event streams over HTTP, with the limits, signal and counts of sockets. */
export class EventStreams {
  private readonly running = new Map<RunningOperation, OpenStream>();
  /** The number of streams of each client, by what identifies it. */
  private readonly clients = new Map<string, number>();
  private closing = false;

  constructor(private readonly options: EventStreamsOptions) {}

  /** Runs `subscribe` of graphql-js, or of a runtime around it, for a request. Errors become a result with `errors`; the promise does not reject. */
  async subscribe(
    req: IncomingMessage,
    res: ServerResponse,
    subscribe: () => OperationResult | Promise<OperationResult>,
  ): Promise<OperationResult> {
    const { contexts, operations } = this.options;
    const operation = this.operationOf();
    try {
      const context = contexts.ofRequest(
        req as object as ContextRequest,
        res as object as ContextResponse,
      );
      if (this.closing || res.destroyed) throw new GraphQLError('The connection is closed');
      // Before the first await, so that concurrent requests count each other.
      this.enter(operation, res, context.ctx);
      // The request already runs inside its context.
      operation.enter(context.ctx, (run) => run());
      operations.add(operation);
      res.once('close', () => operation.end());
      const values = new Map<string, unknown>();
      recordValues(context.ctx, values);
      if (!(await this.accepts(context))) throw forbidden();
      refuseExpired(context.ctx);
      this.keepChecking(operation, req, values);
      return await operation.run(subscribe);
    } catch (error) {
      operation.fail();
      operation.end();
      return { errors: [error instanceof GraphQLError ? error : forbidden()] };
    }
  }

  /** Ends each stream with its last event. Resolves when all clients have disconnected, or after the grace period. */
  async stop(): Promise<void> {
    this.closing = true;
    const open = [...this.running];
    const closed = open.map(
      ([, { res }]) => new Promise<void>((resolve) => res.once('close', () => resolve())),
    );
    for (const [operation] of open) operation.end();
    const timer = setTimeout(
      () => open.forEach(([, { res }]) => res.destroy()),
      this.options.limits.gracePeriodMs,
    );
    await Promise.all(closed);
    clearTimeout(timer);
  }

  /** @param values those that `onConnect` set */
  private keepChecking(
    operation: RunningOperation,
    req: IncomingMessage,
    values: ReadonlyMap<string, unknown>,
  ): void {
    const { before, contexts, limits } = this.options;
    operation.checkAgain(
      checkOf({
        operation,
        open: () => contexts.ofOperation(req, {}, []),
        admit: (anew) =>
          contexts.run(anew, async () => {
            await before(anew.ctx);
            setValues(anew.ctx, values);
          }),
        check: limits.revalidate?.check,
      }),
    );
  }

  private operationOf(): RunningOperation {
    const { operations, numbers, revalidation } = this.options;
    return new RunningOperation(
      {
        // The runtime counts it in the mount's own counts.
        failed: () => numbers.failed(),
        ended: (ended) => {
          operations.delete(ended);
          const stream = this.running.get(ended);
          if (stream === undefined) return;
          this.running.delete(ended);
          numbers.ended('subscription');
          stream.freePlace();
          this.leave(stream.client);
        },
        // The runtime formats errors.
        lastEvent: (error) => ({ errors: [error] }),
      },
      { transport: 'event-stream', connection: `stream ${(streams += 1)}` },
      revalidation,
    );
  }

  /** @throws GraphQLError if the client, its address or the endpoint has as many as its limit allows */
  private enter(operation: RunningOperation, res: ServerResponse, ctx: RequestContext): void {
    const { limits, places } = this.options;
    const address = addressOf(ctx.req);
    const client = clientOf(address, ctx.req);
    const used = this.clients.get(client) ?? 0;
    const place = used < limits.maxSubscriptions && places.take('operations', address);
    if (typeof place !== 'function') throw new GraphQLError('Too many subscriptions');
    operation.kind = 'subscription';
    this.running.set(operation, { res, client, freePlace: place });
    this.clients.set(client, used + 1);
    this.options.numbers.started('subscription');
  }

  private leave(client: string): void {
    const left = (this.clients.get(client) ?? 1) - 1;
    if (left === 0) this.clients.delete(client);
    else this.clients.set(client, left);
  }

  /** Calls `onConnect`. As for sockets, an error that it throws is not sent to the client. */
  private async accepts(context: ReturnType<GraphqlContexts['ofRequest']>): Promise<boolean> {
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

/** The client's address as the platform resolves it, with its setting for proxies. */
function addressOf(req: ContextRequest): string | undefined {
  return typeof req['ip'] === 'string' ? req['ip'] : undefined;
}

/**
 * Identifies a client by address and credentials: each event stream has a connection to itself. Clients can invent
 * these headers, so `Places` counts by address alone.
 */
function clientOf(address: string | undefined, { headers }: ContextRequest): string {
  const { 'x-forwarded-for': forwarded, authorization, cookie } = headers;
  return JSON.stringify([address, forwarded, authorization, cookie]);
}
