import type { Readable } from 'node:stream';

interface Client<Transport> {
  connect(transport: Transport): Promise<void>;
}

/** Connects a client to the process of a transport with `stderr: 'pipe'`. A failure shows what the process printed. */
export async function connectStdio<Transport extends { readonly stderr: unknown }>(
  client: Client<Transport>,
  transport: Transport,
): Promise<void> {
  let printed = '';
  (transport.stderr as Readable).on('data', (chunk: Buffer) => (printed += String(chunk)));
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(`The process does not respond:\n${printed}`, { cause: error });
  });
}
