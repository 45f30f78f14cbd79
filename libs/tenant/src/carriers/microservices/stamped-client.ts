import { ClientKafka, type ClientProxy, type ReadPacket } from '@nestjs/microservices';
import { ClsServiceManager } from 'nestjs-cls';
import { type Stamp, stamped } from '../stamp.js';

export function stampClient(client: ClientProxy, stamp: Stamp): void {
  if (client instanceof ClientKafka) stampRecords(client as unknown as KafkaSender, stamp);
  else stampPackets(client as unknown as PacketSender, stamp);
  openOutside(client);
}

/** Protected members of each client. */
interface PacketSender {
  publish(packet: ReadPacket, callback: unknown): () => void;
  dispatchEvent(packet: ReadPacket): Promise<unknown>;
}

/**
 * `setOnDispatchHook()` is not used, because NestJS 11 lacks this method. Also, a client has only
 * one such hook, and a tracer could replace the hook.
 */
function stampPackets(client: PacketSender, stamp: Stamp): void {
  const publish = client.publish.bind(client);
  const dispatchEvent = client.dispatchEvent.bind(client);
  client.publish = (packet, callback) => publish(stampedPacket(packet, stamp), callback);
  client.dispatchEvent = (packet) => dispatchEvent(stampedPacket(packet, stamp));
}

/** The packet itself may be changed, because Nest created it for this message. */
function stampedPacket(packet: ReadPacket & { metadata?: object }, stamp: Stamp): ReadPacket {
  const metadata = stamped(packet.metadata, stamp());
  if (metadata !== undefined) packet.metadata = metadata;
  return packet;
}

interface KafkaSender {
  serializer: {
    serialize(message: unknown, options?: unknown): KafkaRecord | Promise<KafkaRecord>;
  };
}

interface KafkaRecord {
  readonly headers?: Readonly<Record<string, unknown>>;
}

/**
 * Adds the tenant to headers, because Kafka messages have no metadata. Serializers run in the scope
 * of the sender.
 */
function stampRecords(client: KafkaSender, stamp: Stamp): void {
  const { serializer } = client;
  client.serializer = Object.create(serializer, {
    serialize: {
      value: async (message: unknown, options?: unknown) => {
        const marks = stamp();
        const record = await serializer.serialize(message, options);
        return { ...record, headers: stamped(record.headers ?? {}, marks) };
      },
    },
  }) as KafkaSender['serializer'];
}

/**
 * Opens the shared connection outside all tenants. Otherwise, its callbacks, for example for a
 * reconnect, would run for the tenant that sent the first message.
 */
function openOutside(client: ClientProxy): void {
  const connect = client.connect.bind(client);
  client.connect = (): Promise<unknown> => cls.exit(connect);
}

const cls = ClsServiceManager.getClsService();
