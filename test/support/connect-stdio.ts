import type { Readable } from 'node:stream';

/** Connects a client to the process of a transport with `stderr: 'pipe'`. A failure shows what the process printed. */
export async function connectStdio(
  // `never`: each SDK has its own type of transports.
  client: { connect(transport: never): Promise<void> },
  transport: { readonly stderr: unknown },
): Promise<void> {
  let printed = '';
  (transport.stderr as Readable).on('data', (chunk: Buffer) => (printed += String(chunk)));
  await client.connect(transport as never).catch((error: unknown) => {
    throw new Error(`The process does not respond:\n${printed}`, { cause: error });
  });
}
