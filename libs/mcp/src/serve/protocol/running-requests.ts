import { resolvesWithin } from '@fledge/core/packages';

/** Running requests by id. When the server closes, it waits until no request is running. */
export class RunningRequests<Id, Request> extends Map<Id, Request> {
  private onNone: (() => void) | undefined;

  override delete(id: Id): boolean {
    const existed = super.delete(id);
    if (this.size === 0) this.onNone?.();
    return existed;
  }

  /** Resolves when no request is running, or after `limitMs` milliseconds. */
  async none(limitMs: number): Promise<void> {
    if (this.size === 0) return;
    await resolvesWithin(new Promise<void>((resolve) => (this.onNone = resolve)), limitMs);
  }
}

/** After the timeout of a call, the server waits this many milliseconds for the response. */
export const CLOSING_GRACE_MS = 1_000;
