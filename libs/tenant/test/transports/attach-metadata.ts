import type { ClientProxy } from '@nestjs/microservices';

interface Packet {
  readonly pattern: unknown;
}

/** Members of clients: the hook came with 12.0.4. */
interface Client {
  setOnDispatchHook?: (hook: (packet: Packet) => void) => void;
  readonly serializer: { serialize: (packet: Packet, options?: object) => unknown };
}

/** Gives the packets of a client metadata: by the hook, or else by the serializer. */
export function attachMetadata(proxy: ClientProxy, metadata: unknown): void {
  const client = proxy as unknown as Client;
  const attach = (packet: Packet) => Object.assign(packet, { metadata });
  if (client.setOnDispatchHook) return client.setOnDispatchHook(attach);
  const { serializer } = client;
  const serialize = serializer.serialize.bind(serializer);
  serializer.serialize = (packet, options) => serialize(attach(packet), options);
}
