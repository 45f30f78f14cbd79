import { Writable } from 'node:stream';

/**
 * Stored on `globalThis`, because one process may load two copies of this package: the
 * application's copy and the copy of the `fledge` command. The first copy reserves stdout for both.
 */
const TAKEN = Symbol.for('fledge.mcp.stdout');
const shared = globalThis as { [TAKEN]?: Writable };

/**
 * Reserves stdout for the protocol: everything else that the process writes there (providers,
 * loggers, dependencies) is redirected to stderr. One extra line would break the JSON-RPC stream.
 *
 * Every call emits `taken` on the stream, so the first caller can detect that MCP is configured.
 * @param own stream to return as the real stdout, if the process was given another one for it
 * @returns the real stdout
 */
export function takeStdout(own?: Writable): Writable {
  const taken = keepStdoutClean(own);
  taken.emit('taken');
  return taken;
}

/**
 * Reserves stdout like `takeStdout()`, without the event. Used before it is known whether MCP is
 * configured.
 */
export function keepStdoutClean(own?: Writable): Writable {
  if (shared[TAKEN] === undefined) {
    shared[TAKEN] = own ?? realStdout();
    process.stdout.write = process.stderr.write.bind(process.stderr);
  }
  return shared[TAKEN];
}

function realStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      write(chunk, () => done());
    },
  });
}
