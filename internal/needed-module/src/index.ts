import { Logger } from '@nestjs/common';

const CHECK_MS = 1_000;
const MOST_CHECKS = 120;

/**
 * A module without which decorators have no effect. Where it is missing, none of our code runs at startup, so the first
 * decorator starts a timer, which warns as soon as this process listens for connections. Tests and scripts that load a
 * decorated class do not listen.
 */
export class NeededModule {
  private isImported = false;
  private isNeeded = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param advice what the decorators lack, and what to import */
  constructor(
    private readonly name: string,
    private readonly advice: string,
  ) {}

  /** For the module: it is there. */
  import(): void {
    this.isImported = true;
    clearInterval(this.timer);
  }

  /** For each decorator. */
  need(): void {
    if (this.isNeeded || this.isImported || process.env['NODE_ENV'] === 'test') return;
    this.isNeeded = true;
    let left = MOST_CHECKS;
    this.timer = setInterval(() => {
      left -= 1;
      const mustWarn = isListening();
      if (mustWarn || left === 0) clearInterval(this.timer);
      if (mustWarn) new Logger(this.name).warn(this.advice);
    }, CHECK_MS).unref();
  }
}

function isListening(): boolean {
  return process.getActiveResourcesInfo().includes('TCPServerWrap');
}
