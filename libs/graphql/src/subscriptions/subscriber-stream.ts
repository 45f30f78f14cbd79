import { Logger } from '@nestjs/common';
import type { ExecutionResult } from 'graphql';

/** Runs a function where the operation runs: in its request context. */
export type Within = <T>(run: () => T) => T;

type Step = IteratorResult<ExecutionResult, undefined>;

/** The last event of a stream, or the error that it ends with. */
export type Last = { readonly event: ExecutionResult } | { readonly error: Error };

interface Reader {
  readonly resolve: (step: Step) => void;
  readonly reject: (error: unknown) => void;
}

const logger = new Logger('GraphQL');
const OVER: Step = { done: true, value: undefined };

/**
 * The events of one subscriber, each made in the context of its own operation, whoever published it.
 *
 * It ends the moment its reader leaves: an async generator that waits for an event of its own would
 * answer `return()` only after that event (ECMA-262 §27.6.3.8).
 */
export class SubscriberStream implements AsyncIterableIterator<ExecutionResult, undefined> {
  private readonly source: AsyncIterator<ExecutionResult>;
  private reader: Reader | undefined;
  /** What the reader gets before the end. */
  private last: Last | undefined;
  private over = false;
  /** Whether the source has ended, too, after its reader left. */
  settled: Promise<unknown> = Promise.resolve();

  /** @param ended called once, with what the source threw, if it did */
  constructor(
    source: AsyncIterable<ExecutionResult>,
    private readonly within: Within,
    private readonly ended: (failure?: unknown) => void,
  ) {
    this.source = within(() => source[Symbol.asyncIterator]());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Step> {
    return new Promise<Step>((resolve, reject) => {
      const reader = { resolve, reject };
      if (this.over) return this.dismiss(reader);
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
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what it threw
          reject(failure);
        },
      );
    });
  }

  return(): Promise<Step> {
    this.finish(undefined);
    return Promise.resolve(OVER);
  }

  /** Ends it on behalf of the server: the reader gets a last event, or an error, before the end. */
  finish(last: Last | undefined): void {
    if (this.over) return;
    this.last = last;
    this.settled = this.within(async () => this.source.return?.()).catch((failure: unknown) =>
      logger.error(failure instanceof Error ? failure.stack : failure),
    );
    this.end();
    if (this.reader) this.dismiss(this.reader);
  }

  throw(failure: unknown): Promise<Step> {
    void this.return();
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what it was given
    return Promise.reject(failure);
  }

  private async advance(): Promise<IteratorResult<ExecutionResult>> {
    return this.within(() => this.source.next());
  }

  private dismiss({ resolve, reject }: Reader): void {
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
