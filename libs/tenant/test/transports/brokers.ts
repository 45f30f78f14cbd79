import { type ClientOptions, type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { isOnMachine } from '../../../../test/support/engines.js';
import { freePort } from '../../../../test/support/processes.js';

/** One way for messages from a client to a server. */
export interface Way {
  readonly name: string;
  readonly server: MicroserviceOptions;
  readonly client: ClientOptions;
}

/** Unique to this run, because others use the brokers too. */
const RUN = randomUUID().slice(0, 8);

/** The pattern of a message, on all transports. */
export const named = (name: string): string => `${name}-${RUN}`;

const rabbitUrl = process.env['RABBITMQ_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672';
const redisUrl = new URL(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379');
const natsUrl = process.env['NATS_URL'] ?? 'nats://127.0.0.1:4222';
const mqttUrl = process.env['MQTT_URL'] ?? 'mqtt://127.0.0.1:1883';

/** TCP, Redis and RabbitMQ, and NATS and MQTT if this machine has them. */
export async function packetWays(): Promise<Way[]> {
  const tcp = { host: '127.0.0.1', port: await freePort() };
  const redis = {
    host: redisUrl.hostname,
    port: Number(redisUrl.port || 6379),
    db: Number(redisUrl.pathname.slice(1) || 0),
  };
  const ways: Way[] = [
    way('TCP', Transport.TCP, tcp),
    way('Redis', Transport.REDIS, redis),
    rabbitWay('RabbitMQ', {}),
  ];
  if (isOnMachine('NATS')) ways.push(way('NATS', Transport.NATS, { servers: [natsUrl] }));
  if (isOnMachine('MQTT')) ways.push(way('MQTT', Transport.MQTT, { url: mqttUrl }));
  return ways;
}

/** @param options of the consumer, such as `noAck: false` */
export function rabbitWay(
  name: string,
  options: { readonly noAck?: boolean; readonly prefetchCount?: number },
): Way {
  const queueOptions = { durable: false, autoDelete: true };
  const shared = { urls: [rabbitUrl], queue: named(`queue-${name}`), queueOptions };
  return {
    name,
    server: { transport: Transport.RMQ, options: { ...shared, ...options } },
    client: { transport: Transport.RMQ, options: shared },
  };
}

export async function grpcWay(): Promise<Way> {
  const options = {
    package: 'talk',
    protoPath: fileURLToPath(new URL('talk.proto', import.meta.url)),
    url: `127.0.0.1:${await freePort()}`,
  };
  return {
    name: 'gRPC',
    server: { transport: Transport.GRPC, options },
    client: { transport: Transport.GRPC, options },
  };
}

function way(name: string, transport: Transport, options: object): Way {
  return {
    name,
    server: { transport, options } as Way['server'],
    client: { transport, options } as Way['client'],
  };
}
