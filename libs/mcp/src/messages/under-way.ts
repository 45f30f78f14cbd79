/** Milliseconds in which a call is answered after its time-out. */
export const CLOSING_GRACE_MS = 1_000;

/** Counts running requests, so that closing can wait for them. */
export class UnderWay {
  private count = 0;
  private onNone: (() => void) | undefined;

  begin(): void {
    this.count++;
  }

  end(): void {
    this.count--;
    if (this.count === 0) this.onNone?.();
  }

  /** Resolves when no request is running, at the latest after `limitMs` milliseconds. */
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
