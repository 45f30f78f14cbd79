import { printable, styled, type Terminal } from './terminal.js';

const ERASE = '\r\u001b[K';

/** Shows progress on one line of stderr. Writes nothing if stderr is a pipe. */
export class StatusLine {
  private shown = false;

  constructor(
    private readonly write: (text: string) => unknown,
    private readonly terminal: Terminal,
  ) {}

  show(text: string): void {
    if (this.terminal.kind === 'pipe') return;
    const line = [...printable(this.terminal, text).replace(/\s+/g, ' ')];
    const fitting = line.slice(0, this.terminal.columns - 1).join('');
    this.write(ERASE + styled(this.terminal, 'dim', fitting));
    this.shown = true;
  }

  clear(): void {
    if (this.shown) this.write(ERASE);
    this.shown = false;
  }
}

/** Formats a progress notification, for example as "3/10 (30%) reading". */
export function progressText(progress: number, total?: number, message?: string): string {
  const share = total === undefined || total <= 0 ? '' : `/${total}`;
  const percent = share === '' ? '' : ` (${Math.floor((progress / (total as number)) * 100)}%)`;
  return `${progress}${share}${percent}${message === undefined ? '' : ` ${message}`}`;
}
