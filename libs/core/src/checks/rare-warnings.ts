import type { Logger } from '@nestjs/common';

const QUIET_MS = 10_000;

/**
 * Logs at most one warning of one kind in ten seconds. If a database is down, many operations fail
 * at the same time.
 */
export class RareWarnings {
  private loggedAt = -Infinity;
  private unlogged = 0;

  constructor(private readonly logger: Logger) {}

  /**
   * @param textOf called if the warning is logged. It receives the number of warnings that were
   * skipped since the last one
   */
  warn(textOf: (unlogged: number) => string): void {
    const now = performance.now();
    if (now - this.loggedAt < QUIET_MS) {
      this.unlogged += 1;
      return;
    }
    this.logger.warn(textOf(this.unlogged));
    this.loggedAt = now;
    this.unlogged = 0;
  }
}
