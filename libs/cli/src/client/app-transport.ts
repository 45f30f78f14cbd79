import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const BIN = fileURLToPath(new URL('../main.js', import.meta.url));
/** Number of characters of the application's output that are kept. */
const KEPT_CHARACTERS = 8_000;

export interface AppLaunch {
  /** The absolute path of the entry file. */
  readonly entry: string;
  /** The timeout in seconds. */
  readonly timeout: number;
  /** Passed to the application as the variable FLEDGE_MCP_TOKEN. */
  readonly token: string | undefined;
  readonly onStderr: (text: string) => void;
}

/**
 * Runs the application as a child process with `fledge mcp start`. A plain StdioClientTransport is
 * not sufficient: the SDK would start its command twice, once to detect the protocol version.
 */
export class AppTransport extends StdioClientTransport {
  private printed = '';

  constructor(launch: AppLaunch) {
    const { entry, timeout, token } = launch;
    super({
      command: process.execPath,
      args: [BIN, 'mcp', 'start', '--entry', entry, '--timeout', String(timeout)],
      env: environment(token),
      stderr: 'pipe',
    });
    (this.stderr as Readable | null)?.setEncoding('utf8').on('data', (text: string) => {
      this.printed = (this.printed + text).slice(-KEPT_CHARACTERS);
      launch.onStderr(text);
    });
  }

  /** Returns the last lines that the application printed. */
  stderrTail(lines = 20): string {
    return this.printed.trimEnd().split('\n').slice(-lines).join('\n');
  }
}

function environment(token: string | undefined): Record<string, string> {
  const env = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { ...Object.fromEntries(env), ...(token !== undefined && { FLEDGE_MCP_TOKEN: token }) };
}
