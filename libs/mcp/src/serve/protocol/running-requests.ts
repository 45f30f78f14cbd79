/** Counts the running requests. When the server closes, it waits until no request is running. */
export class RunningRequests {
  private count = 0;
  private onNone: (() => void) | undefined;

  begin(): void {
    this.count++;
  }

  end(): void {
    this.count--;
    if (this.count === 0) this.onNone?.();
  }

  /** Resolves when no request is running, or after `limitMs` milliseconds. */
  async none(limitMs: number): Promise<void> {
    if (this.count === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.onNone = resolve;
      timer = setTimeout(resolve, limitMs);
    });
    clearTimeout(timer);
  }
}

/** After the timeout of a call, the server waits this many milliseconds for the response. */
export const CLOSING_GRACE_MS = 1_000;
