/*
 * The process that runs the application. Descriptor 1 is stderr and descriptor 3 carries the
 * protocol. Worker threads, child processes and loggers that write to descriptor 1 (such as pino)
 * therefore cannot break the JSON-RPC stream. Arguments: the entry file, and the start timeout in
 * seconds.
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

/** A microservice has no routes that could become tools. */
const NEEDS_HTTP =
  'Create the application with NestFactory.create(), because a microservice alone has no routes. To add ' +
  'microservices, call app.connectMicroservice()';

const label = relative('', entry);
const started = performance.now();
let tookStdout = false;
let listening: number | undefined;
let settled = false;

// If the program that reads these streams exits first, this is not an error of the application.
process.stderr.on('error', () => undefined);
process.stdout.on('error', () => undefined);
const protocol = protocolStream(3);
// Afterwards, the module ends the process: running calls finish first.
protocol.on('error', () => tookStdout || process.exit(EXIT.ok));
takeStdout(protocol);
protocol.once('taken', () => (tookStdout = true));

process.on('exit', (code) => {
  if (settled || readsStdin()) return;
  report(`exited with code ${code} before it served MCP`);
  process.exitCode = EXIT.unreachable;
});
const watch = setInterval(checkBoot, 50).unref();

import(pathToFileURL(entry).href).catch((error: unknown) => {
  if (settled) throw error;
  process.stderr.write(`${inspect(error)}\n`);
  fail('failed to start. The error is above');
});

function checkBoot(): void {
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
        process.stderr.write(`${label} serves MCP on stdin and stdout. Press Ctrl-D to stop it.\n`);
      }
      return;
    case 'without-mcp':
      fail(
        'listens on a port, but does not serve MCP on stdin. Add McpModule.forRoot({ name }) of ' +
          `@fledge/mcp to the imports of its root module. ${NEEDS_HTTP}`,
      );
      return;
    case 'too-late':
      fail(
        `did not serve MCP within ${seconds} s. If the application needs more time, use --timeout ` +
          `${Number(seconds) * 2}. Otherwise, check that the application imports McpModule of @fledge/mcp and calls app.listen(). ${NEEDS_HTTP}`,
      );
  }
}

/** Returns true if any code has read stdin. Also works after stdin has ended. */
function readsStdin(): boolean {
  return process.stdin.readableFlowing !== null;
}

function fail(fact: string): void {
  report(fact);
  process.exit(EXIT.unreachable);
}

function report(fact: string): void {
  settled = true;
  const error = new AppNotStartedError(`${label} ${fact}.`);
  process.stderr.write(errorText(error, terminalOf(process.stderr)));
}
