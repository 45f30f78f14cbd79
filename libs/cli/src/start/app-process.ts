/*
 * The process of the application. Its descriptor 1 is stderr and the protocol has descriptor 3, so that
 * not even a worker thread, a child process or a logger that writes to descriptor 1 (pino does) can
 * break the JSON-RPC stream. Arguments: the entry, and the seconds it may take to start.
 */
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { takeStdout } from '@fledge/mcp/stdio';
import { AppNotStartedError, EXIT } from '../cli.errors.js';
import { errorText, terminalOf } from '../output/terminal.js';
import { type BootVerdict, bootVerdict } from './boot-watch.js';
import { protocolStream } from './protocol-stream.js';

const [node = '', , entry = '', seconds = ''] = process.argv;
process.argv = [node, entry];

const place = relative('', entry);
const started = performance.now();
let tookStdout = false;
let listening: number | undefined;
let settled = false;

// Whoever read our messages, or what the application prints, may leave first.
process.stderr.on('error', () => undefined);
process.stdout.on('error', () => undefined);
const protocol = protocolStream(3);
protocol.on('error', () => process.exit(EXIT.ok));
takeStdout(protocol);
protocol.once('taken', () => (tookStdout = true));

process.on('exit', (code) => {
  if (settled || readsStdin()) return;
  report(`ended with code ${code} before it served MCP`);
  process.exitCode = EXIT.unreachable;
});
const watch = setInterval(look, 50).unref();

import(pathToFileURL(entry).href).catch((error: unknown) => {
  if (settled) throw error;
  process.stderr.write(`${inspect(error)}\n`);
  fail('failed while it started; the error is above');
});

function look(): void {
  const now = performance.now();
  const listens = process.getActiveResourcesInfo().includes('TCPServerWrap');
  listening = listens ? (listening ?? now) : undefined;
  settle(
    bootVerdict(
      {
        readsStdin: readsStdin(),
        tookStdout,
        listensForMs: listening === undefined ? 0 : now - listening,
        elapsedMs: now - started,
      },
      Number(seconds) * 1000,
    ),
  );
}

function settle(verdict: BootVerdict): void {
  switch (verdict) {
    case 'waiting':
      return;
    case 'serving':
      settled = true;
      clearInterval(watch);
      if (process.stdin.isTTY) {
        process.stderr.write(`${place} serves MCP on stdin and stdout. Ctrl-D ends it.\n`);
      }
      return;
    case 'without-mcp':
      fail(
        'listens on a port, but serves no MCP on stdin. Add McpModule.forRoot({ name }) of @fledge/mcp ' +
          'to the imports of its root module',
      );
      return;
    case 'too-late':
      fail(
        `did not serve MCP within ${seconds} s. If it only needs longer, allow it: --timeout ` +
          `${Number(seconds) * 2}; if not, see that it imports McpModule of @fledge/mcp and calls app.listen()`,
      );
  }
}

/** Once anything has, it stays so, though stdin may have ended since. */
function readsStdin(): boolean {
  return process.stdin.readableFlowing !== null;
}

function fail(fact: string): void {
  report(fact);
  process.exit(EXIT.unreachable);
}

function report(fact: string): void {
  settled = true;
  const error = new AppNotStartedError(`${place} ${fact}.`);
  process.stderr.write(errorText(error, terminalOf(process.stderr)));
}
