import { AsyncLocalStorage } from 'node:async_hooks';
import type { ExecutionArgs, ExecutionResult, OperationTypeNode } from 'graphql';
import type { GraphqlContext } from '../context/graphql-context.js';
import type { GraphqlContexts } from '../context/graphql-contexts.js';
import { asGraphqlError } from '../operation/formatted-error.js';
import { SubscriberStream, type Within } from './subscriber-stream.js';

/** What graphql-js gets, and our hooks around it find again. */
export interface OperationArgs extends ExecutionArgs {
  readonly operation: SocketOperation;
}

type Execute = (
  args: ExecutionArgs,
) => ExecutionResult | Promise<ExecutionResult | AsyncIterable<ExecutionResult>>;

/** Who counts operations. */
export interface OperationWatch {
  failed(): void;
  /** @param settled when what it subscribed to has ended, too, which may be never */
  ended(operation: SocketOperation, settled: Promise<unknown> | undefined): void;
}

/** One operation of a socket, from its message to its last event. */
export class SocketOperation {
  kind: `${OperationTypeNode}` | undefined;
  ended = false;
  private failed = false;
  private stream: SubscriberStream | undefined;
  private readonly left = new AbortController();

  constructor(private readonly watch: OperationWatch) {}

  /** Runs a function in the request context of the operation. Before `enter`, where it is called. */
  within: Within = (run) => run();

  /**
   * From here on everything runs in one store of the operation's own: what a guard leaves in it is
   * there when an event arrives.
   */
  enter(context: GraphqlContext, contexts: GraphqlContexts): void {
    context.ctx.set('signal', this.left.signal);
    this.within = contexts.run(context, () => AsyncLocalStorage.snapshot());
  }

  /** Runs graphql-js. Never rejects: that would close the socket and with it every other operation. */
  async run(
    execute: Execute,
    args: ExecutionArgs,
  ): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
    try {
      const result = await this.within(() => execute(args));
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

  /** Ends it, whatever it is doing: its stream is returned, its signal aborted. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.within(() => this.left.abort());
    void this.stream?.return();
    this.watch.ended(this, this.stream?.settled);
  }

  private follow(events: AsyncIterable<ExecutionResult>): SubscriberStream {
    const stream = new SubscriberStream(events, this.within, (failure) => {
      if (failure !== undefined) this.fail();
      this.end();
    });
    // The client may have gone while the resolver looked for its events.
    if (this.ended) void stream.return();
    else this.stream = stream;
    return stream;
  }
}
