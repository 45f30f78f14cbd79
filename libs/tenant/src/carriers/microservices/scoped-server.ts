import {
  KafkaHeaders,
  type MessageHandler,
  RmqContext,
  type Server,
  ServerKafka,
  ServerRMQ,
  type Deserializer,
  type IncomingEvent,
  type IncomingRequest,
} from '@nestjs/microservices';
import { throwError } from 'rxjs';
import { refusedMessage } from './message-refusal.js';
import type { MessageScopes } from './message-scopes.js';
import { wrappedHandler } from './scoped-handler.js';

/** Supports servers that read packets: TCP, Redis, NATS, RabbitMQ, MQTT and Kafka. */
export function scopePacketServer(server: Server, scopes: MessageScopes): void {
  const kept = server as unknown as { deserializer: PacketDeserializer };
  kept.deserializer = deliveringDeserializer(
    kept.deserializer,
    server instanceof ServerKafka ? ofRecord : ofPacket,
  );
  const addHandler = server.addHandler.bind(server);
  server.addHandler = (pattern: unknown, handler: MessageHandler, ...rest) =>
    addHandler(pattern, scopedHandler(nameOf(pattern), handler, server, scopes), ...rest);
}

function scopedHandler(
  pattern: string,
  handler: MessageHandler,
  server: Server,
  scopes: MessageScopes,
): MessageHandler {
  return wrappedHandler(handler, (delivered, context, ...rest) => {
    // The data comes from a custom strategy, which reads no packets.
    if (!(delivered instanceof Delivery)) {
      return Reflect.apply(handler, undefined, [delivered, context, ...rest]) as unknown;
    }
    const { data, metadata, isRequest } = delivered;
    const handle = (): unknown => Reflect.apply(handler, undefined, [data, context, ...rest]);
    return scopes.handle(metadata, context, handle, (error) => {
      settle(server, context);
      if (isRequest && handler.isEventHandler !== true) {
        return throwError(() => refusedMessage(error));
      }
      scopes.logDropped(pattern, error);
      return undefined;
    });
  });
}

/**
 * Rejects a message of a queue with acknowledgments. Without the rejection, the message would be
 * redelivered forever. If the queue has a dead-letter exchange, the message goes there. Nest does
 * the same if a message has no handler.
 */
function settle(server: Server, context: unknown): void {
  if (!(server instanceof ServerRMQ) || !(context instanceof RmqContext)) return;
  if ((server as unknown as { noAck: boolean }).noAck) return;
  const channel = context.getChannelRef() as {
    nack(message: unknown, all: boolean, again: boolean): void;
  };
  channel.nack(context.getMessage(), false, false);
}

const ofPacket: ReadDelivery = ({ metadata, id }) => ({ metadata, isRequest: id !== undefined });

/** Kafka messages have headers instead of metadata, and no id. */
const ofRecord: ReadDelivery = (_, received) => {
  const { headers = {} } = received as { readonly headers?: Readonly<Record<string, unknown>> };
  const isRequest = Boolean(
    headers[KafkaHeaders.CORRELATION_ID] && headers[KafkaHeaders.REPLY_TOPIC],
  );
  return { metadata: headers, isRequest };
};

function nameOf(pattern: unknown): string {
  return typeof pattern === 'string' ? pattern : JSON.stringify(pattern);
}

/**
 * The data and the metadata of a message. A server passes only the data to handlers. This object
 * therefore replaces the data until the handler's wrapper receives it.
 */
class Delivery {
  constructor(
    readonly data: unknown,
    readonly metadata: unknown,
    /** False if the message is an event. The sender of an event does not wait for a response. */
    readonly isRequest: boolean,
  ) {}
}

type PacketDeserializer = Deserializer<unknown, Packet>;

type Packet = (IncomingRequest | IncomingEvent) & {
  readonly metadata?: unknown;
  readonly id?: unknown;
};

/** Returns the values that a server does not pass to handlers. */
type ReadDelivery = (packet: Packet, received: unknown) => Pick<Delivery, 'metadata' | 'isRequest'>;

/** The data of each packet becomes a `Delivery`. */
function deliveringDeserializer(
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
