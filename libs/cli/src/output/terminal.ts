import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { CliError } from '../cli.errors.js';

/** The kind of output: a terminal, or a pipe that receives plain text. */
export type Terminal =
  | { readonly kind: 'pipe' }
  | { readonly kind: 'terminal'; readonly columns: number; readonly color: boolean };

/**
 * Returns the kind of a stream. The variables NO_COLOR, NODE_DISABLE_COLORS and FORCE_COLOR
 * determine `color`.
 */
export function terminalOf(stream: WriteStream): Terminal {
  if (!stream.isTTY) return { kind: 'pipe' };
  return { kind: 'terminal', columns: stream.columns || 80, color: stream.getColorDepth() > 1 };
}

type Format = Parameters<typeof styleText>[0];

export function styled(terminal: Terminal, format: Format, text: string): string {
  if (terminal.kind === 'pipe' || !terminal.color) return text;
  return styleText(format, text, { validateStream: false });
}

/**
 * Removes control characters from text of a server, because a terminal would execute them. If the
 * output is a pipe, text is not changed.
 */
export function printable(terminal: Terminal, text: string): string {
  return terminal.kind === 'pipe' ? text : text.replace(/(?![\t\n])\p{Cc}/gu, '');
}

/**
 * Formats a value of a server as JSON. `JSON.stringify` escapes only some of the control characters
 * that a terminal would execute.
 */
export function jsonText(value: unknown, indent?: number): string {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(value, null, indent).replace(/[\u007f-\u009f]/g, escaped)}\n`;
}

/** Formats an error of Commander, such as "error: unknown option", like an error of this package. */
export function usageText(text: string, terminal: Terminal): string {
  const message = text.replace(/^error: /, '').trimEnd();
  return `${styled(terminal, 'red', 'fledge:')} ${message} ${styled(terminal, 'dim', '[CLI_BAD_OPTION]')}\n`;
}

/** Formats an error as "fledge: message [CODE]". The detail is indented below this line. */
export function errorText(error: CliError, terminal: Terminal): string {
  const detail = error.detail === undefined ? '' : `${error.detail.replace(/^/gm, '  | ')}\n`;
  const text = `${printable(terminal, error.message)} ${styled(terminal, 'dim', `[${error.code}]`)}`;
  return `${styled(terminal, 'red', 'fledge:')} ${text}\n${detail}`;
}
