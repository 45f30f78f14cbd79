import { RareWarnings } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';

const logger = new Logger('GraphQL');

/** Logs an error that clients do not receive. */
export function logError(error: unknown): void {
  logger.error(error instanceof Error ? (error.stack ?? error.message) : error);
}

/** Logs failures of one kind, at most once every ten seconds. */
export class FailureLog {
  private readonly warnings = new RareWarnings(logger);

  /** @param fact a sentence without its full stop: `A subscription could not be revalidated` */
  constructor(private readonly fact: string) {}

  add(error: unknown): void {
    this.warnings.warn((unlogged) => {
      const others = unlogged === 0 ? '' : ` Further failures since the last message: ${unlogged}.`;
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return `${this.fact}.${others} ${cause}`;
    });
  }
}
