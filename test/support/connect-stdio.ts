import type { Readable } from 'node:stream';

/**
 * Connects a client to the process of a transport with `stderr: 'pipe'`. If the connection fails,
 * the error has the output of the process.
 */
export async function connectStdio(
  // `never`, because each SDK has its own transport type.
  client: { connect(transport: never): Promise<void> },
  transport: { readonly stderr: unknown },
): Promise<void> {
  let printed = '';
  (transport.stderr as Readable).on('data', (chunk: Buffer) => (printed += String(chunk)));
  await client.connect(transport as never).catch((error: unknown) => {
    throw new Error(`The process does not respond:\n${printed}`, { cause: error });
  });
}
