import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { CliError } from '../cli.errors.js';

/** What is written to: a person's terminal, or a pipe that gets plain text. */
export type Terminal =
  | { readonly kind: 'pipe' }
  | { readonly kind: 'terminal'; readonly columns: number; readonly colour: boolean };

/** Reads what a stream is. Colour heeds NO_COLOR, NODE_DISABLE_COLORS and FORCE_COLOR. */
export function terminalOf(stream: WriteStream): Terminal {
  if (!stream.isTTY) return { kind: 'pipe' };
  return { kind: 'terminal', columns: stream.columns || 80, colour: stream.getColorDepth() > 1 };
}

type Format = Parameters<typeof styleText>[0];

export function styled(terminal: Terminal, format: Format, text: string): string {
  if (terminal.kind === 'pipe' || !terminal.colour) return text;
  return styleText(format, text, { validateStream: false });
}

/**
 * Text of a server, safe to show: a terminal obeys control characters, so they are left out there. A
 * pipe gets every byte.
 */
export function printable(terminal: Terminal, text: string): string {
  return terminal.kind === 'pipe' ? text : text.replace(/(?![\t\n])\p{Cc}/gu, '');
}

/** "fledge: what, where, what to do [CODE]", and any detail indented below. */
export function errorText(error: CliError, terminal: Terminal): string {
  const detail = error.detail === undefined ? '' : `${error.detail.replace(/^/gm, '  | ')}\n`;
  const text = `${printable(terminal, error.message)} ${styled(terminal, 'dim', `[${error.code}]`)}`;
  return `${styled(terminal, 'red', 'fledge:')} ${text}\n${detail}`;
}
