import { startTimer } from './budget/waiting-line.js';

/** The slot that was unused for the longest time is first. */
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

  /** Adds a slot, or moves it to the end. */
  add(slot: S): void {
    this.since.delete(slot);
    this.since.set(slot, performance.now());
    this.wake();
  }

  delete(slot: S): void {
    this.since.delete(slot);
  }

  /** Stops the timer. Slots no longer expire. */
  stop(): void {
    clearTimeout(this.timer);
  }

  private wake(): void {
    const oldest = this.oldest;
    if (this.timer !== undefined || oldest === undefined || this.idleMs === Infinity) return;
    const left = this.since.get(oldest)! + this.idleMs - performance.now();
    this.timer = startTimer(left, () => this.sweep());
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
