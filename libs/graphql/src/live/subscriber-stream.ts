import type { ExecutionResult } from 'graphql';
import { logError } from '../operation/failure-log.js';

/** Runs a function in the request context of an operation. */
export type Within = <T>(run: () => T) => T;

type Step = IteratorResult<ExecutionResult, undefined>;

/** The last event of a stream, or the error that ends the stream. */
export type Last = { readonly event: ExecutionResult } | { readonly error: Error };

interface Reader {
  readonly resolve: (step: Step) => void;
  readonly reject: (error: unknown) => void;
}

const OVER: Step = { done: true, value: undefined };

/**
 * The events of one subscriber. Each event is produced in the context of the operation, not in the
 * context of the publisher. When the reader leaves, the stream ends immediately. The source may end
 * later. An async generator that waits for an event does not handle `return()` until the event
 * arrives (ECMA-262 §27.6.3.8).
 */
export class SubscriberStream implements AsyncIterableIterator<ExecutionResult> {
  private readonly source: AsyncIterator<ExecutionResult>;
  private reader: Reader | undefined;
  /** The event that the reader receives before the stream ends. */
  private last: Last | undefined;
  private over = false;
  /** Resolves when the source has ended. The reader may have left earlier. */
  settled: Promise<unknown> = Promise.resolve();

  /**
   * @param ended called once. Receives the error if the source threw one
   * @param before called before each event. The event waits for its promise
   */
  constructor(
    source: AsyncIterable<ExecutionResult>,
    private readonly within: Within,
    private readonly ended: (failure?: unknown) => void,
    private readonly before?: () => Promise<void> | undefined,
  ) {
    this.source = within(() => source[Symbol.asyncIterator]());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Step> {
    return new Promise<Step>((resolve, reject) => {
      const reader = { resolve, reject };
      if (this.over) return this.finishReader(reader);
      this.reader = reader;
      this.advance().then(
        (step) => {
          if (step.done) this.end();
          this.reader = undefined;
          resolve(step.done ? OVER : step);
        },
        (failure: unknown) => {
          this.end(failure);
          this.reader = undefined;
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- rethrows the source's value
          reject(failure);
        },
      );
    });
  }

  return(): Promise<Step> {
    this.finish(undefined);
    return Promise.resolve(OVER);
  }

  /** Ends the stream from the server's side. The reader receives `last` before the end. */
  finish(last: Last | undefined): void {
    if (this.over) return;
    this.last = last;
    this.settled = this.within(async () => this.source.return?.()).catch(logError);
    this.end();
    if (this.reader) this.finishReader(this.reader);
  }

  private advance(): Promise<IteratorResult<ExecutionResult>> {
    return this.within(async () => {
      const step = await this.source.next();
      if (!step.done) await this.before?.();
      return step;
    });
  }

  private finishReader({ resolve, reject }: Reader): void {
    const { last } = this;
    this.last = undefined;
    if (last === undefined) resolve(OVER);
    else if ('event' in last) resolve({ done: false, value: last.event });
    else reject(last.error);
  }

  private end(failure?: unknown): void {
    if (this.over) return;
    this.over = true;
    this.ended(failure);
  }
}
