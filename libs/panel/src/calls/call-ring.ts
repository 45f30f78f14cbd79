import type { PanelCall } from '@fledge/core/packages';

/** Receives each new call. */
export type CallListener = (call: PanelCall) => void;

/** The last calls, in memory. */
export class CallRing {
  /** Calls since boot. */
  total = 0;
  private readonly kept: PanelCall[] = [];
  private readonly listeners = new Set<CallListener>();

  constructor(readonly capacity: number) {}

  /** Adds a call, gives it its number and passes it to the listeners. */
  add(call: Omit<PanelCall, 'id'>): void {
    this.total += 1;
    const numbered = { id: this.total, ...call };
    this.kept.push(numbered);
    if (this.kept.length > this.capacity) this.kept.shift();
    for (const listener of this.listeners) listener(numbered);
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
  listen(listener: CallListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Number of listeners. */
  get readers(): number {
    return this.listeners.size;
  }
}
