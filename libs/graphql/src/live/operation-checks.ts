import { HttpException } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import { asGraphqlError, codedError, thrownBy } from '../operation/formatted-error.js';
import { FailureLog } from '../operation/failure-log.js';
import type { ResolvedRevalidation } from '../graphql.defaults.js';

/**
 * The revalidation options of one endpoint. All checks of the endpoint share a concurrency limit
 * and a log.
 */
export class Revalidation {
  readonly failures = new FailureLog('A subscription could not be revalidated');
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(readonly options: ResolvedRevalidation) {
    this.free = options.concurrency;
  }

  /** Runs a check when fewer than `concurrency` checks run. */
  async run<T>(check: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await check();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}

/** The result of a check: the operation may continue, it has ended, or the check itself failed. */
export type CheckResult = 'valid' | 'ended' | 'failed';

export interface Checked {
  /** Aborts when the operation ends. */
  readonly signal: AbortSignal;
  /**
   * Checks the user, the tenant and the token again. Throws or returns false if the operation must
   * end.
   */
  readonly check: () => Promise<boolean | void>;
  readonly end: (error: GraphQLError) => void;
}

/**
 * Checks one operation, regularly and on request, until the operation ends. Checks do not overlap.
 */
export class OperationChecks {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<CheckResult> | undefined;
  /**
   * The check that will run after the current check. All requests during the current check share
   * the next check.
   */
  private next: Promise<CheckResult> | undefined;
  /** True while a check runs, even if the check has timed out. */
  private hangs = false;
  /** Number of failed checks since the last successful one. */
  private failures = 0;

  constructor(
    private readonly checked: Checked,
    private readonly revalidation: Revalidation,
  ) {
    checked.signal.addEventListener('abort', () => clearTimeout(this.timer), { once: true });
    this.schedule();
  }

  /**
   * Checks the operation. If a check is already running, another check follows, because the running
   * check may have read old data.
   */
  run(): Promise<CheckResult> {
    if (this.running === undefined) return this.start();
    this.next ??= this.running.then(() => {
      this.next = undefined;
      return this.start();
    });
    return this.next;
  }

  private start(): Promise<CheckResult> {
    this.running = this.revalidation
      .run(() => this.look())
      .finally(() => (this.running = undefined));
    return this.running;
  }

  private schedule(): void {
    const { everyMs } = this.revalidation.options;
    if (everyMs === undefined || this.checked.signal.aborted) return;
    // The time is random. Otherwise, all clients that reconnected at the same time would be checked
    // at the same time.
    const wait = everyMs * (0.5 + Math.random() / 2);
    this.timer = setTimeout(() => void this.run().then(() => this.schedule()), wait);
    this.timer.unref();
  }

  /**
   * After a timeout, the check may still run, but it does not count for `concurrency` anymore.
   * Otherwise, a few checks that hang would stop all other checks, and no subscription would end.
   */
  private async look(): Promise<CheckResult> {
    const { signal, check } = this.checked;
    const { timeoutMs } = this.revalidation.options;
    if (signal.aborted) return 'ended';
    if (this.hangs) return this.fail(new Error('The previous check is still running.'));
    this.hangs = true;
    const work = Promise.resolve()
      .then(check)
      .finally(() => (this.hangs = false));
    try {
      const isAllowed = await inTime(work, timeoutMs, signal);
      if (signal.aborted) return 'ended';
      if (isAllowed === false)
        return this.refuse(codedError('The subscription is no longer allowed', 'FORBIDDEN'));
      this.failures = 0;
      return 'valid';
    } catch (error) {
      if (signal.aborted) return 'ended';
      return isRefusal(error) ? this.refuse(error) : this.fail(error);
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
    this.checked.end(codedError('The subscription could not be checked', 'SERVICE_UNAVAILABLE'));
    return 'ended';
  }
}

/**
 * Returns true for an error that rejects the operation. Other errors mean that a service is down or
 * that the check has a bug.
 */
function isRefusal(error: unknown): boolean {
  const thrown = error instanceof GraphQLError ? thrownBy(error) : error;
  return thrown === undefined || (thrown instanceof HttpException && thrown.getStatus() < 500);
}

/** Waits for a promise. Rejects on timeout, or if the signal aborts. */
function inTime<T>(work: Promise<T>, milliseconds: number, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`The check took more than ${milliseconds} ms.`));
    const timer = setTimeout(late, milliseconds);
    // A running check must not prevent the process from exiting.
    timer.unref();
    const left = () => reject(new Error('The operation has ended.'));
    signal.addEventListener('abort', left);
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', left);
    });
  });
}
