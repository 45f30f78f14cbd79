import type { RequestContext } from '@fledge/core';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ExecutionArgs, ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import { asGraphqlError } from '../operation/formatted-error.js';
import { whenExpired } from './expiry.js';
import type { LiveOperation } from './live-operation.js';
import { SubscriberStream, type Within } from './subscriber-stream.js';

/** What graphql-js gets, and our hooks around it find again. */
export interface OperationArgs extends ExecutionArgs {
  readonly operation: RunningOperation;
}

/** What graphql-js, or a runtime around it, makes of an operation. */
export type Result = ExecutionResult | AsyncIterable<ExecutionResult>;

/** Who counts operations. */
export interface OperationWatch {
  failed(): void;
  /** @param settled when what it subscribed to has ended, too, which may be never */
  ended(operation: RunningOperation, settled: Promise<unknown> | undefined): void;
  /** The last event of an operation that the server ends; without it, the reader gets the error itself. */
  lastEvent?(error: GraphQLError): ExecutionResult;
}

/** One operation of a socket, or of an event stream, from its request to its last event. */
export class RunningOperation {
  kind: `${OperationTypeNode}` | undefined;
  ended = false;
  /** How others see it; undefined before `enter`. */
  live: LiveOperation | undefined;
  private failed = false;
  private error: GraphQLError | undefined;
  private stream: SubscriberStream | undefined;
  private stopWaiting: (() => void) | undefined;
  private readonly left = new AbortController();

  constructor(
    private readonly watch: OperationWatch,
    private readonly place: Pick<LiveOperation, 'transport' | 'connection'>,
  ) {}

  /** Runs a function in the request context of the operation. Before `enter`, where it is called. */
  within: Within = (run) => run();

  /**
   * From here on everything runs in one store of the operation's own: what a guard leaves in it is
   * there when an event arrives.
   * @param inside runs a function in the request context of the operation
   */
  enter(ctx: RequestContext, inside: Within): void {
    ctx.set('signal', this.left.signal);
    this.within = inside(() => AsyncLocalStorage.snapshot());
    const kind = () => this.kind;
    this.live = {
      ...this.place,
      ctx,
      get kind() {
        return kind();
      },
    };
  }

  /** Runs graphql-js. Never rejects: that would close the socket and with it every other operation. */
  async run(execute: () => Result | Promise<Result>): Promise<Result> {
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

  /** Counts as failed, once, however many of its events have errors. */
  fail(): void {
    if (this.failed) return;
    this.failed = true;
    this.watch.failed();
  }

  /**
   * Ends it, whatever it is doing: its stream is returned, its signal aborted.
   * @param error what the client gets @default nothing but the end
   */
  end(error?: GraphQLError): void {
    if (this.ended) return;
    this.ended = true;
    this.error = error;
    this.stopWaiting?.();
    if (error !== undefined) this.fail();
    this.within(() => this.left.abort());
    this.close(this.stream);
    this.watch.ended(this, this.stream?.settled);
  }

  private follow(events: AsyncIterable<ExecutionResult>): Result {
    const stream = new SubscriberStream(events, this.within, (failure) => {
      if (failure !== undefined) this.fail();
      this.end();
    });
    // The client may have gone, or the server ended it, while the resolver looked for its events.
    if (this.ended) {
      this.close(stream);
      return stream;
    }
    this.stream = stream;
    // After guards and context decorators, which may say when the right of the caller ends.
    if (this.live) this.stopWaiting = whenExpired(this.live.ctx, (error) => this.end(error));
    return stream;
  }

  private close(stream: SubscriberStream | undefined): void {
    const { error } = this;
    if (error === undefined) void stream?.return();
    else stream?.finish(this.watch.lastEvent ? { event: this.watch.lastEvent(error) } : { error });
  }
}
