import { ClientKafka, type ClientProxy, type ReadPacket } from '@nestjs/microservices';
import { ClsServiceManager } from 'nestjs-cls';

/** Returns the current tenant as metadata: `tenancy.metadata()`. */
export type Stamp = () => Readonly<Record<string, string>>;

/**
 * Adds the current tenant to each message of a client, and opens the client's connection outside
 * all tenants.
 */
export function stampClient(client: ClientProxy, stamp: Stamp): void {
  if (client instanceof ClientKafka) stampRecords(client as unknown as KafkaSender, stamp);
  else stampPackets(client as unknown as PacketSender, stamp);
  openOutside(client);
}

/** Members of each client that are protected in TypeScript. */
interface PacketSender {
  publish(packet: ReadPacket, callback: unknown): () => void;
  dispatchEvent(packet: ReadPacket): Promise<unknown>;
}

/**
 * Does not use `setOnDispatchHook()`, because NestJS 11 lacks it, and because a client has only one
 * such hook, which a tracer could replace.
 */
function stampPackets(client: PacketSender, stamp: Stamp): void {
  const publish = client.publish.bind(client);
  const dispatchEvent = client.dispatchEvent.bind(client);
  client.publish = (packet, callback) => publish(stamped(packet, stamp), callback);
  client.dispatchEvent = (packet) => dispatchEvent(stamped(packet, stamp));
}

/** Changes the packet itself, because Nest created it for this message only. */
function stamped(packet: ReadPacket & { metadata?: object }, stamp: Stamp): ReadPacket {
  const marks = stamp();
  if (Object.keys(marks).length > 0) packet.metadata = { ...packet.metadata, ...marks };
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
 * Adds the tenant to headers, because Kafka's records have no metadata. Serializers run in the
 * scope of the sender.
 */
function stampRecords(client: KafkaSender, stamp: Stamp): void {
  const { serializer } = client;
  client.serializer = Object.create(serializer, {
    serialize: {
      value: async (message: unknown, options?: unknown) => {
        const marks = stamp();
        const record = await serializer.serialize(message, options);
        return { ...record, headers: { ...record.headers, ...marks } };
      },
    },
  }) as KafkaSender['serializer'];
}

/**
 * Opens the shared connection outside all tenants. If the first sender opened it, its callbacks,
 * for example for a reconnect, would run for that sender's tenant.
 */
function openOutside(client: ClientProxy): void {
  const connect = client.connect.bind(client);
  client.connect = (): Promise<unknown> => cls.exit(connect);
}

const cls = ClsServiceManager.getClsService();
