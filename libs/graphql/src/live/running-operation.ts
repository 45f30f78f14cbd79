import type { RequestContext } from '@fledge/core';
import { forgetLoaders } from '@fledge/core/packages';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { asGraphqlError } from '../operation/formatted-error.js';
import type { OperationResult } from '../http/runtime.js';
import { whenExpired } from './expiry.js';
import type { LiveOperation } from './subscription.options.js';
import { type CheckResult, OperationChecks, type Revalidation } from './operation-checks.js';
import { SubscriberStream, type Within } from './subscriber-stream.js';

/** The arguments of graphql-js, with the running operation for the hooks. */
export interface OperationArgs extends ExecutionArgs {
  readonly operation: RunningOperation;
}

interface OperationListener {
  /** This function is called once if the operation fails. */
  failed(): void;
  /**
   * Called when the operation has ended.
   * @param settled resolves when the event source has also ended. This may never happen
   */
  ended(settled: Promise<unknown> | undefined): void;
}

/** A `LiveOperation`. Its kind is set when the operation is admitted. */
interface Live extends Omit<LiveOperation, 'kind'> {
  kind: LiveOperation['kind'];
}

/** One operation of a socket or event stream, from its request to its last event. */
export class RunningOperation {
  ended = false;
  /** The public view of the operation. Undefined before `enter`. */
  live: Live | undefined;
  private failed = false;
  private error: GraphQLError | undefined;
  private stream: SubscriberStream | undefined;
  private checks: OperationChecks | undefined;
  /** True if a revalidation was requested before the operation was admitted. */
  private checkAtOnce = false;
  private readonly aborter = new AbortController();
  /** Runs before each event is sent. If it rejects, the operation ends with this error. */
  beforeEvent: (() => Promise<void>) | undefined;

  constructor(
    private readonly source: Pick<LiveOperation, 'transport' | 'connection'>,
    /** Undefined without the option `revalidate`. */
    readonly revalidation: Revalidation | undefined,
    private readonly listener: OperationListener,
  ) {}

  /**
   * Runs a function in the request context of the operation. Before `enter`, the function runs in
   * the caller's context.
   */
  within: Within = (run) => run();

  /**
   * Binds the operation to its request context. Call this inside that context. Later steps share
   * one async store. If a guard sets a value, the value is available for later events.
   */
  enter(ctx: RequestContext): Live {
    ctx.set('signal', this.aborter.signal);
    this.within = AsyncLocalStorage.snapshot();
    const { transport, connection } = this.source;
    this.live = { transport, connection, ctx, kind: undefined };
    return this.live;
  }

  /** Calls a function when the operation ends, or now if it has ended. */
  whenEnded(run: () => void): void {
    if (this.ended) return run();
    this.aborter.signal.addEventListener('abort', run, { once: true });
  }

  /**
   * @throws GraphQLError if the operation has ended. If an error ended the operation, throws this
   * error
   */
  refuseEnded(): void {
    if (this.ended) throw this.error ?? new GraphQLError('The connection is closed');
  }

  /**
   * If the option `revalidate` is set, checks the operation again until it ends. Call this after
   * the operation was admitted.
   */
  checkAgain(check: () => Promise<boolean | void>): void {
    if (this.revalidation === undefined || this.ended) return;
    const { signal } = this.aborter;
    const end = (error: GraphQLError) => this.end(error);
    this.checks = new OperationChecks({ signal, check, end }, this.revalidation);
    if (this.checkAtOnce) void this.checks.run();
  }

  /**
   * Checks the operation now. If the operation is not admitted yet, returns undefined, and the
   * check runs later.
   */
  revalidate(): Promise<CheckResult> | undefined {
    this.checkAtOnce = true;
    return this.checks?.run();
  }

  /**
   * Runs graphql-js. Errors become a result, because a rejection would close the socket with all
   * its operations.
   */
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

  /** Counts the operation as failed. Has no effect for errors in later events. */
  fail(): void {
    if (this.failed) return;
    this.failed = true;
    this.listener.failed();
  }

  /**
   * Ends the operation at any stage: aborts its signal and ends its stream.
   * @param error the error that the client receives. If undefined, the stream completes without an
   * error
   */
  end(error?: GraphQLError): void {
    if (this.ended) return;
    this.ended = true;
    this.error = error;
    if (error !== undefined) this.fail();
    this.within(() => this.aborter.abort());
    this.close(this.stream);
    this.listener.ended(this.stream?.settled);
  }

  private follow(events: AsyncIterable<ExecutionResult>): OperationResult {
    const ended = (failure: unknown) => {
      if (failure !== undefined) this.fail();
      this.end();
    };
    const before = () => this.beforeEvent?.().catch((error) => this.end(asGraphqlError(error)));
    const stream = new SubscriberStream(events, this.withinEvent, ended, before);
    // The operation may have ended while the resolver created the event stream.
    if (this.ended) {
      this.close(stream);
      return stream;
    }
    this.stream = stream;
    // Reads the expiry only now, because guards and context decorators may set it.
    if (this.live) whenExpired(this.live.ctx, this.aborter.signal, (error) => this.end(error));
    return stream;
  }

  /**
   * Clears the data loaders for each event, because loaded data may have changed since the last
   * event.
   */
  private readonly withinEvent: Within = (run) =>
    this.within(() => {
      forgetLoaders();
      return run();
    });

  private close(stream: SubscriberStream | undefined): void {
    const { error, source } = this;
    if (error === undefined) return void stream?.return();
    // Over WebSocket, a special message ends a stream with an error. In an event stream, the error
    // is the last event.
    stream?.finish(source.transport === 'websocket' ? { error } : { event: { errors: [error] } });
  }
}
