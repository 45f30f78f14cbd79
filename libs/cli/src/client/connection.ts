import { relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { BadOptionError, InterruptedError } from '../cli.errors.js';
import { findEntry } from '../entry/entry-file.js';
import { projectFolder } from '../entry/project-folder.js';
import { StatusLine } from '../output/status-line.js';
import { terminalOf } from '../output/terminal.js';
import { packageVersion } from '../package-version.js';
import { AppTransport } from './app-transport.js';
import { failureOf, type Server } from './failure.js';

export interface ConnectionOptions {
  readonly entry?: string;
  readonly http?: string;
  readonly token?: string;
  /** Headers of each request, with lower-case names. Only with `http`. */
  readonly header?: Readonly<Record<string, string>>;
  /**
   * Seconds to wait for a response. If `startTimeout` is not set, this also limits the startup of
   * the application.
   */
  readonly timeout: number;
  /**
   * Seconds to wait for the application to start.
   * @default timeout
   */
  readonly startTimeout?: number;
  readonly verbose?: true;
}

export interface Connection {
  readonly client: Client;
  readonly status: StatusLine;
  /** Aborted when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Milliseconds that are added to the start timeout. The application's own timeout error then
 * arrives first.
 */
const START_MARGIN_MS = 3_000;

/**
 * Maximum milliseconds to wait for the response to the end of the session. The result is known
 * already, and a server that does not respond must not keep the command running.
 */
const LONGEST_END_MS = 2_000;

/**
 * Connects to the application, or to the server at `--http`. Runs `work`. Then ends the session and
 * the process of the application.
 * @throws CliError if there is no response
 * @throws BadOptionError for headers without `--http`
 */
export async function withConnection<T>(
  options: ConnectionOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const status = new StatusLine((text) => process.stderr.write(text), terminalOf(process.stderr));
  const server = serverOf(options, status);
  const client = new Client(
    { name: 'fledge', version: packageVersion() },
    { versionNegotiation: { mode: 'auto' } },
  );
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort(new InterruptedError());
  const interrupted = new Promise<never>((_resolve, reject) => {
    interrupt.signal.addEventListener('abort', () => reject(new InterruptedError()));
  });
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  let connected = false;
  try {
    status.show(`${server.kind === 'app' ? 'Starting' : 'Connecting to'} ${server.label} ...`);
    const timeout =
      server.kind === 'app'
        ? startSeconds(options) * 1000 + START_MARGIN_MS
        : options.timeout * 1000;
    await Promise.race([client.connect(server.transport, { timeout }), interrupted]);
    connected = true;
    return await Promise.race([work({ client, status, signal: interrupt.signal }), interrupted]);
  } catch (error) {
    throw await failureOf(error, server, { connected, seconds: options.timeout });
  } finally {
    status.clear();
    await close(client, server);
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

function startSeconds({ startTimeout, timeout }: ConnectionOptions): number {
  return startTimeout ?? timeout;
}

function serverOf(options: ConnectionOptions, status: StatusLine): Server {
  const { http, token, header, verbose } = options;
  if (http === undefined) {
    if (header !== undefined) {
      const expected = 'used with --http, because an application over stdio receives no headers';
      throw new BadOptionError('--header', undefined, expected);
    }
    const entry = findEntry(projectFolder(process.cwd()), options.entry);
    const onStderr = (text: string) => {
      if (!verbose) return;
      status.clear();
      process.stderr.write(text);
    };
    const transport = new AppTransport({ entry, timeout: startSeconds(options), token, onStderr });
    return {
      kind: 'app',
      label: relative('', entry),
      transport,
      stderrShown: verbose ? 'already' : 'not-yet',
    };
  }
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...header };
  const transport = new StreamableHTTPClientTransport(new URL(http), { requestInit: { headers } });
  // The query string is omitted, because it may contain a token. Logs may contain this message.
  const { origin, pathname } = new URL(http);
  return { kind: 'http', label: `${origin}${pathname}`, transport };
}

async function close(client: Client, server: Server): Promise<void> {
  if (server.kind === 'http') {
    const ended = server.transport.terminateSession().catch(() => undefined);
    await Promise.race([ended, setTimeout(LONGEST_END_MS, undefined, { ref: false })]);
  }
  await client.close().catch(() => undefined);
  await server.transport.close().catch(() => undefined);
}
