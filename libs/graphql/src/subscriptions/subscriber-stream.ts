import { Logger } from '@nestjs/common';
import type { ExecutionResult } from 'graphql';

/** Runs a function where the operation runs: in its request context. */
export type Within = <T>(run: () => T) => T;

type Step = IteratorResult<ExecutionResult, undefined>;

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
  private reader: ((step: Step) => void) | undefined;
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
    if (this.over) return OVER;
    return new Promise<Step>((resolve, reject) => {
      this.reader = resolve;
      this.advance().then(
        (step) => {
          if (step.done) this.end();
          resolve(step.done ? OVER : step);
        },
        (failure: unknown) => {
          this.end(failure);
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what it threw
          reject(failure);
        },
      );
    });
  }

  return(): Promise<Step> {
    if (!this.over) {
      this.settled = this.within(async () => this.source.return?.()).catch((failure: unknown) =>
        logger.error(failure instanceof Error ? failure.stack : failure),
      );
      this.end();
      this.reader?.(OVER);
    }
    return Promise.resolve(OVER);
  }

  throw(failure: unknown): Promise<Step> {
    void this.return();
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what it was given
    return Promise.reject(failure);
  }

  private async advance(): Promise<IteratorResult<ExecutionResult>> {
    return this.within(() => this.source.next());
  }

  private end(failure?: unknown): void {
    if (this.over) return;
    this.over = true;
    this.ended(failure);
  }
}
