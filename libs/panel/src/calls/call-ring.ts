import type { PanelCall } from '@fledge/core/packages';
import { CallResults } from './call-results.js';

/** The last calls, in memory. */
export class CallRing {
  /** Number of calls since startup. */
  total = 0;
  private readonly kept: PanelCall[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly results = new CallResults();

  constructor(readonly capacity: number) {}

  /**
   * Adds a call, gives it its number and calls the listeners.
   * @param result undefined if the call has none
   */
  add(call: Omit<PanelCall, 'id'>, result?: unknown): void {
    this.total += 1;
    this.kept.push({ id: this.total, ...call });
    if (result !== undefined) this.results.add(this.total, result);
    if (this.kept.length > this.capacity) this.results.drop(this.kept.shift()!.id);
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

  /** The result of a call. Undefined if it had none, or if newer results took its place. */
  resultOf(id: number): unknown {
    return this.results.get(id);
  }

  /** @returns a function that ends the subscription */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
