import type { PanelCall } from '@fledge/core/packages';

/** The last calls, in memory. */
export class CallRing {
  /** Number of calls since startup. */
  total = 0;
  private readonly kept: PanelCall[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(readonly capacity: number) {}

  /** Adds a call, gives it its number and calls the listeners. */
  add(call: Omit<PanelCall, 'id'>): void {
    this.total += 1;
    this.kept.push({ id: this.total, ...call });
    if (this.kept.length > this.capacity) this.kept.shift();
    for (const listener of this.listeners) listener();
  }

  /** The kept calls, oldest first. */
  get calls(): readonly PanelCall[] {
    return [...this.kept];
  }

  /** The kept calls with a larger number. */
  after(id: number): readonly PanelCall[] {
    return this.kept.filter((call) => call.id > id);
  }

  /** @returns a function that ends the subscription */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
