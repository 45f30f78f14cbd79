import { HttpException } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import { asGraphqlError, thrownBy } from '../../operation/formatted-error.js';
import type { Revalidation } from './revalidation.js';

/** What a check found: the operation may go on, it has ended, or the check itself failed. */
export type CheckResult = 'valid' | 'ended' | 'failed';

/** The operation that is checked. */
export interface Checked {
  /** Aborts when the operation ends. */
  readonly signal: AbortSignal;
  /** Looks up anew who the operation runs for. Throws, or returns false, if it may not go on. */
  readonly check: () => Promise<boolean | void>;
  readonly end: (error: GraphQLError) => void;
}

/** Checks one operation: regularly and when called, one check at a time, until it ends. */
export class OperationChecks {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<CheckResult> | undefined;
  /** The check after the running one. Calls made meanwhile share it. */
  private next: Promise<CheckResult> | undefined;
  /** True while a check runs that was not done in time. */
  private hangs = false;
  /** Failed checks since the last one that succeeded. */
  private failures = 0;

  constructor(
    private readonly checked: Checked,
    private readonly revalidation: Revalidation,
  ) {
    this.schedule();
  }

  /** Checks the operation. A call during a check causes another: the running one may have read what changed since. */
  run(): Promise<CheckResult> {
    if (this.running === undefined) return this.start();
    this.next ??= this.running.then(() => {
      this.next = undefined;
      return this.start();
    });
    return this.next;
  }

  /** Call it when the operation has ended. */
  stop(): void {
    clearTimeout(this.timer);
  }

  private start(): Promise<CheckResult> {
    this.running = this.attempt().finally(() => (this.running = undefined));
    return this.running;
  }

  private schedule(): void {
    const { everyMs } = this.revalidation.options;
    if (everyMs === undefined || this.checked.signal.aborted) return;
    // Spread: clients that reconnect together would be checked together.
    const wait = everyMs * (0.5 + Math.random() / 2);
    this.timer = setTimeout(() => void this.run().then(() => this.schedule()), wait);
    this.timer.unref();
  }

  private async attempt(): Promise<CheckResult> {
    const release = await this.revalidation.slots.take();
    try {
      return await this.look();
    } finally {
      release();
    }
  }

  private async look(): Promise<CheckResult> {
    const { signal, check } = this.checked;
    const { timeoutMs } = this.revalidation.options;
    if (signal.aborted) return 'ended';
    if (this.hangs) return this.fail(new Error('The check before this one still runs.'));
    this.hangs = true;
    const work = Promise.resolve()
      .then(check)
      .finally(() => (this.hangs = false));
    const outcome = await settledWithin(work, timeoutMs, signal);
    if (signal.aborted) return 'ended';
    switch (outcome.kind) {
      case 'left':
        return 'ended';
      case 'late':
        return this.fail(new Error(`The check took over ${timeoutMs} ms.`));
      case 'failed':
        return isRefusal(outcome.error) ? this.refuse(outcome.error) : this.fail(outcome.error);
      case 'done':
        if (outcome.value === false) return this.refuse(forbidden());
        this.failures = 0;
        return 'valid';
    }
  }

  private refuse(error: unknown): CheckResult {
    this.checked.end(asGraphqlError(error));
    return 'ended';
  }

  private fail(error: unknown): CheckResult {
    const { failures, options } = this.revalidation;
    failures.add(error);
    this.failures += 1;
    if (this.failures < options.maxFailures) return 'failed';
    this.checked.end(unchecked());
    return 'ended';
  }
}

/** True for an error that says that the operation may not go on. Others say that a service is down, or a mistake in the check. */
function isRefusal(error: unknown): boolean {
  const thrown = error instanceof GraphQLError ? thrownBy(error) : error;
  return thrown === undefined || (thrown instanceof HttpException && thrown.getStatus() < 500);
}

function forbidden(): GraphQLError {
  return new GraphQLError('The subscription is no longer allowed', {
    extensions: { code: 'FORBIDDEN' },
  });
}

function unchecked(): GraphQLError {
  return new GraphQLError('The subscription could not be checked', {
    extensions: { code: 'SERVICE_UNAVAILABLE' },
  });
}

/** How a piece of work ended: with its value, with its error, not in time, or after its owner had left. */
type Outcome =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'late' }
  | { readonly kind: 'left' };

/** Waits for work until its time is up or its owner leaves. Does not reject. Keeps neither timer nor listener. */
function settledWithin(
  work: Promise<unknown>,
  milliseconds: number,
  owner: AbortSignal,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome) => {
      clearTimeout(timer);
      owner.removeEventListener('abort', left);
      resolve(outcome);
    };
    const left = () => settle({ kind: 'left' });
    const timer = setTimeout(() => settle({ kind: 'late' }), milliseconds);
    // A check must not keep a process alive that is about to exit.
    timer.unref();
    if (owner.aborted) left();
    else owner.addEventListener('abort', left);
    work.then(
      (value) => settle({ kind: 'done', value }),
      (error: unknown) => settle({ kind: 'failed', error }),
    );
  });
}
