import { Logger } from '@nestjs/common';

/** Milliseconds between two log lines. */
const QUIET_MS = 10_000;

const logger = new Logger('GraphQL');

/** Logs failures of one kind, at most one in ten seconds: when a database is down, many fail at once. */
export class FailureLog {
  private loggedAt = -Infinity;
  private unlogged = 0;

  /** @param fact a sentence without its full stop: `A subscription could not be revalidated` */
  constructor(private readonly fact: string) {}

  add(error: unknown): void {
    const now = performance.now();
    if (now - this.loggedAt < QUIET_MS) return void (this.unlogged += 1);
    const others =
      this.unlogged === 0 ? '' : ` ${this.unlogged} more failed since the last message.`;
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    logger.warn(`${this.fact}.${others} ${cause}`);
    this.loggedAt = now;
    this.unlogged = 0;
  }
}
