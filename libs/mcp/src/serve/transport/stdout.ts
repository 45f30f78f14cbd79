import { Writable } from 'node:stream';

/**
 * The stream is stored on `globalThis`, because a process may load two copies of this package: one
 * from the application and one from the command `fledge`. The copy that is loaded first reserves
 * stdout for both.
 */
const TAKEN = Symbol.for('fledge.mcp.stdout');
const shared = globalThis as { [TAKEN]?: Writable };

/**
 * Reserves stdout for the protocol. All other output of the process (by providers, loggers and
 * dependencies) is written to stderr instead, because one extra line would break the protocol.
 *
 * Every call emits `taken` on the returned stream. With this event, the first caller can detect
 * that MCP is configured.
 * @param own stream to use as the real stdout. By default, stdout of the process
 * @returns the real stdout
 */
export function takeStdout(own?: Writable): Writable {
  const taken = keepStdoutClean(own);
  taken.emit('taken');
  return taken;
}

/** Same as `takeStdout()`, without `taken`. Used before it is known whether MCP is configured. */
export function keepStdoutClean(own?: Writable): Writable {
  if (shared[TAKEN] === undefined) {
    shared[TAKEN] = own ?? realStdout();
    process.stdout.write = process.stderr.write.bind(process.stderr);
  }
  return shared[TAKEN];
}

function realStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  // If the parent process has ended, the returned stream reports it. Running calls still finish.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      write(chunk, done);
    },
  });
}
