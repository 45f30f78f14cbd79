import { Writable } from 'node:stream';

let real: Writable | undefined;

/**
 * Takes stdout for the protocol: whatever else the process writes there, a provider, a logger or a
 * dependency, goes to stderr from now on. One stray line would break the JSON-RPC stream.
 * @returns the real stdout
 */
export function takeStdout(): Writable {
  if (real === undefined) {
    const write = process.stdout.write.bind(process.stdout);
    real = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        write(chunk, () => done());
      },
    });
    process.stdout.write = process.stderr.write.bind(process.stderr);
  }
  return real;
}
