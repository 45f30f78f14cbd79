import type { ResolvedLimits, ResolvedRevalidation } from '../option-tables.js';
import { FailureLog } from '../operation/failure-log.js';
import { Slots } from './slots.js';

/** How the subscriptions of one endpoint are checked again: its options, and what its checks share. */
export class Revalidation {
  readonly slots: Slots;
  readonly failures = new FailureLog('A subscription could not be revalidated');

  constructor(readonly options: ResolvedRevalidation) {
    this.slots = new Slots(options.concurrency);
  }
}

/** Returns undefined without the option `revalidate`. */
export function revalidationOf({ revalidate }: ResolvedLimits): Revalidation | undefined {
  return revalidate && new Revalidation(revalidate);
}
