import { Logger } from '@nestjs/common';

const CHECK_MS = 1_000;
const MOST_CHECKS = 120;

/**
 * Warns if decorators are used but the module that they need is not imported. Without the module,
 * no code of this package runs at startup. The first decorator therefore starts a timer. The timer
 * logs the warning if this process listens for connections. Tests and scripts that load a decorated
 * class do not listen.
 */
export class NeededModule {
  private isImported = false;
  private isNeeded = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param advice the text of the warning, with the fix */
  constructor(
    private readonly name: string,
    private readonly advice: string,
  ) {}

  /** Called by the module when it is imported. */
  import(): void {
    this.isImported = true;
    clearInterval(this.timer);
  }

  /** Called by each decorator. */
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
