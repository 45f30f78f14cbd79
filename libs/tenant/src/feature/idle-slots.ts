import { ClsServiceManager } from 'nestjs-cls';

/** What nobody uses, in the order it was let go of; what stays for too long is handed to `expire`. */
export class IdleSlots<S extends object> {
  private readonly since = new Map<S, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly idleMs: number,
    private readonly expire: (slot: S) => void,
  ) {}

  get oldest(): S | undefined {
    return this.since.keys().next().value;
  }

  /** As the youngest, also where it is here already. */
  add(slot: S): void {
    this.since.delete(slot);
    this.since.set(slot, performance.now());
    this.wake();
  }

  delete(slot: S): void {
    this.since.delete(slot);
  }

  /** Nothing expires from now on. */
  stop(): void {
    clearTimeout(this.timer);
  }

  private wake(): void {
    const oldest = this.oldest;
    if (this.timer !== undefined || oldest === undefined || this.idleMs === Infinity) return;
    const left = this.since.get(oldest)! + this.idleMs - performance.now();
    // Not in the store of the request that happens to be the first, which the timer would keep.
    this.timer = cls.exit(() => setTimeout(() => this.sweep(), Math.min(left, LONGEST_TIMER_MS)));
    this.timer.unref();
  }

  private sweep(): void {
    this.timer = undefined;
    for (const [slot, since] of this.since) {
      if (since + this.idleMs > performance.now()) break;
      this.expire(slot);
    }
    this.wake();
  }
}

// Node runs what is set for later at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const cls = ClsServiceManager.getClsService();
