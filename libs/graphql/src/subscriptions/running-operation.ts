import type { RequestContext } from '@fledge/core';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ExecutionArgs, ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { asGraphqlError } from '../operation/formatted-error.js';
import type { OperationResult } from '../runtime/runtime.js';
import { whenExpired } from './expiry.js';
import { SubscriberStream, type Within } from './subscriber-stream.js';

/** A running subscription, or another running operation of a socket. */
export interface LiveOperation {
  readonly kind: 'query' | 'mutation' | 'subscription' | undefined;
  readonly transport: 'websocket' | 'event-stream';
  /** Identifies a socket or event stream in this process. The operations of one socket share it. */
  readonly connection: string;
  /** The request context of its resolvers, with its headers, user and tenant. */
  readonly ctx: RequestContext;
}

/** The arguments of graphql-js, with the operation for the hooks around it. */
export interface OperationArgs extends ExecutionArgs {
  readonly operation: RunningOperation;
}

/** Callbacks of an operation for its transport. */
export interface OperationListener {
  /** The operation failed. Called at most once. */
  failed(): void;
  /** @param settled resolves when the event source has ended too. That may not happen */
  ended(operation: RunningOperation, settled: Promise<unknown> | undefined): void;
  /** Turns the error with which the server ends an operation into its last event. Without it, the stream throws the error. */
  lastEvent?(error: GraphQLError): ExecutionResult;
}

/** One operation of a socket or event stream, from its request to its last event. */
export class RunningOperation {
  kind: `${OperationTypeNode}` | undefined;
  ended = false;
  /** The public view of the operation; undefined before `enter`. */
  live: LiveOperation | undefined;
  private failed = false;
  private error: GraphQLError | undefined;
  private stream: SubscriberStream | undefined;
  private stopWaiting: (() => void) | undefined;
  private readonly aborter = new AbortController();

  constructor(
    private readonly listener: OperationListener,
    private readonly source: Pick<LiveOperation, 'transport' | 'connection'>,
  ) {}

  /** Runs a function in the request context of the operation. Before `enter`, in the caller's context. */
  within: Within = (run) => run();

  /**
   * Binds the operation to its request context. Later steps share one async store, so values that a guard
   * sets are there when an event arrives.
   * @param inside runs a function in the request context of the operation
   */
  enter(ctx: RequestContext, inside: Within): void {
    ctx.set('signal', this.aborter.signal);
    this.within = inside(() => AsyncLocalStorage.snapshot());
    const kind = () => this.kind;
    this.live = {
      ...this.source,
      ctx,
      get kind() {
        return kind();
      },
    };
  }

  /** Runs graphql-js. Errors become a result: a rejection would close the socket with its other operations. */
  async run(execute: () => OperationResult | Promise<OperationResult>): Promise<OperationResult> {
    try {
      const result = await this.within(execute);
      if (Symbol.asyncIterator in result) return this.follow(result);
      this.end();
      return result;
    } catch (error) {
      this.end();
      return { errors: [asGraphqlError(error)] };
    }
  }

  /** Counts the operation as failed, once. Further errors in its events do not count. */
  fail(): void {
    if (this.failed) return;
    this.failed = true;
    this.listener.failed();
  }

  /**
   * Ends the operation at any stage: aborts its signal and returns its stream.
   * @param error the error that the client gets @default the stream completes without an error
   */
  end(error?: GraphQLError): void {
    if (this.ended) return;
    this.ended = true;
    this.error = error;
    this.stopWaiting?.();
    if (error !== undefined) this.fail();
    this.within(() => this.aborter.abort());
    this.close(this.stream);
    this.listener.ended(this, this.stream?.settled);
  }

  private follow(events: AsyncIterable<ExecutionResult>): OperationResult {
    const stream = new SubscriberStream(events, this.within, (failure) => {
      if (failure !== undefined) this.fail();
      this.end();
    });
    // The operation may have ended while the resolver prepared its events.
    if (this.ended) {
      this.close(stream);
      return stream;
    }
    this.stream = stream;
    // Read after guards and context decorators, because they may set the expiry.
    if (this.live) this.stopWaiting = whenExpired(this.live.ctx, (error) => this.end(error));
    return stream;
  }

  private close(stream: SubscriberStream | undefined): void {
    const { error } = this;
    if (error === undefined) void stream?.return();
    else
      stream?.finish(
        this.listener.lastEvent ? { event: this.listener.lastEvent(error) } : { error },
      );
  }
}
