import { FailureLog } from '../../operation/failure-log.js';
import type { ResolvedRevalidation } from '../../option-tables.js';

/** How the subscriptions of one endpoint are checked again: its options, and what its checks share. */
export class Revalidation {
  readonly slots: Slots;
  readonly failures = new FailureLog('A subscription could not be revalidated');

  constructor(readonly options: ResolvedRevalidation) {
    this.slots = new Slots(options.concurrency);
  }
}

/** Limits how many pieces of work run at a time. The others wait in the order of their calls. */
class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Resolves when a slot is free, with the function that releases it. */
  async take(): Promise<() => void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    return () => {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    };
  }
}
