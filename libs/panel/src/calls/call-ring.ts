import type { PanelCall } from '@fledge/core/packages';
import { CallResults } from './call-results.js';

/** Keeps the last calls in memory. */
export class CallRing {
  /** Number of calls since startup. */
  total = 0;
  private readonly kept: PanelCall[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly results = new CallResults();

  constructor(readonly capacity: number) {}

  /**
   * Adds a call, assigns the next id to it, and notifies the listeners.
   * @param result undefined if the call has no result
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

  /** Returns the kept calls with a higher id. */
  after(id: number): readonly PanelCall[] {
    return this.kept.filter((call) => call.id > id);
  }

  /**
   * Returns the result of a call. Returns undefined if the call had no result, or if its result was
   * dropped.
   */
  resultOf(id: number): unknown {
    return this.results.get(id);
  }

  /** @returns a function that removes the listener */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
