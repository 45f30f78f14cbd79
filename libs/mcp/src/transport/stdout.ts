import { Writable } from 'node:stream';

/**
 * On `globalThis`, because two copies of this package may meet in one process: the application's and
 * the one of the `fledge` command. Whoever comes first takes stdout for both.
 */
const TAKEN = Symbol.for('fledge.mcp.stdout');
const shared = globalThis as { [TAKEN]?: Writable };

/**
 * Takes stdout for the protocol: whatever else the process writes there, a provider, a logger or a
 * dependency, goes to stderr from now on. One stray line would break the JSON-RPC stream.
 *
 * Every call emits `taken` on the stream, by which the first caller sees that MCP is being set up.
 * @param own what to hand out for the real stdout, where the process was given another stream for it
 * @returns the real stdout
 */
export function takeStdout(own?: Writable): Writable {
  const taken = keepStdoutClean(own);
  taken.emit('taken');
  return taken;
}

/** As `takeStdout()`, before it is known whether MCP is set up at all. */
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
