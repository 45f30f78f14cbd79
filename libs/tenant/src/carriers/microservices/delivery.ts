import type { Deserializer, IncomingEvent, IncomingRequest } from '@nestjs/microservices';

/**
 * What a message brought: its data, and the metadata that servers do not hand to handlers. It takes the
 * place of the data between the server and the handler, for want of another way through the server.
 */
export class Delivery {
  constructor(
    readonly data: unknown,
    readonly metadata: unknown,
    /** False for an event: its sender waits for no answer. */
    readonly isRequest: boolean,
  ) {}
}

/** A deserializer as servers of `@nestjs/microservices` keep it. */
export type PacketDeserializer = Deserializer<unknown, Packet>;

type Packet = (IncomingRequest | IncomingEvent) & {
  readonly metadata?: unknown;
  readonly id?: unknown;
};

/** Reads what a server does not hand to handlers, from the packet and from what came over the wire. */
export type ReadDelivery = (
  packet: Packet,
  received: unknown,
) => Pick<Delivery, 'metadata' | 'isRequest'>;

/** Wraps a deserializer so that the data of its packets is a `Delivery`. */
export function deliveringDeserializer(
  deserializer: PacketDeserializer,
  read: ReadDelivery,
): PacketDeserializer {
  return Object.create(deserializer, {
    deserialize: {
      value: async (received: unknown, options?: Record<string, unknown>) => {
        const packet = await deserializer.deserialize(received, options);
        const { metadata, isRequest } = read(packet, received);
        return { ...packet, data: new Delivery(packet.data, metadata, isRequest) };
      },
    },
  }) as PacketDeserializer;
}
