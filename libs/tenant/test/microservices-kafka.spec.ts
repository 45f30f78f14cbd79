// Kafka by the shape of its records: Nest's own client and server, without brokers between them.
import { CurrentTenant, Tenancy, type TenantContext, TenantModule } from '@fledge/tenant';
import { TenantMicroservicesModule } from '@fledge/tenant/microservices';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, type INestMicroservice, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  ClientKafka,
  EventPattern,
  KafkaHeaders,
  MessagePattern,
  Payload,
  ServerKafka,
} from '@nestjs/microservices';
import { firstValueFrom } from 'rxjs';
import { until } from '../../../test/support/until.js';

interface Message {
  readonly value: unknown;
  readonly headers: Record<string, unknown>;
}
interface Sent {
  readonly topic: string;
  readonly messages: readonly Message[];
}

/** Keeps what reaches kafkajs. */
class RecordingClient extends ClientKafka {
  readonly sent: Sent[] = [];

  constructor() {
    super({});
    this._producer = {
      send: (record: Sent) => Promise.resolve(void this.sent.push(record)),
    } as never;
    this.consumerAssignments = { 'who.reply': 0 };
  }

  override connect(): Promise<never> {
    return Promise.resolve(undefined as never);
  }
}

/** Takes records as kafkajs hands them over: headers and values are bytes. */
class RecordedServer extends ServerKafka {
  readonly answers: Sent[] = [];

  override listen(done: () => void): Promise<void> {
    this.producer = {
      send: (record: Sent) => Promise.resolve(void this.answers.push(record)),
    } as never;
    return Promise.resolve(done());
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }

  receive({ topic, messages }: Sent): Promise<unknown> {
    const [{ value, headers }] = messages as [Message];
    const bytes = Object.entries(headers).map(([key, text]) => [key, Buffer.from(String(text))]);
    const message = {
      value: Buffer.from(String(value)),
      headers: Object.fromEntries(bytes) as object,
    };
    return this.handleMessage({ topic, partition: 0, message, heartbeat: () => {} } as never);
  }
}

let seen: string[] = [];

@Controller()
class Receiver {
  @MessagePattern('who')
  who(@Payload() { text }: { text: string }, @CurrentTenant() tenant: TenantContext) {
    return `${text} ${tenant.tenantId}`;
  }

  @EventPattern<string>('noted')
  noted(@Payload() { id }: { id: number }, @CurrentTenant() tenant: TenantContext) {
    seen.push(`${id} ${tenant.tenantId}`);
  }
}

const client = new RecordingClient();
const server = new RecordedServer({});
const CLIENT = Symbol('client');

@Module({
  imports: [TenantModule.forRoot({ strategy: 'header' }), TenantMicroservicesModule],
  controllers: [Receiver],
  providers: [{ provide: CLIENT, useValue: client }],
})
class AppModule {
  constructor(@Inject(CLIENT) readonly client: ClientKafka) {}
}

let app: INestMicroservice;
let tenancy: Tenancy;
beforeAll(async () => {
  app = await NestFactory.createMicroservice(AppModule, {
    strategy: server,
    logger: false,
    abortOnError: false,
  });
  await app.listen();
  tenancy = app.get(Tenancy);
});
beforeEach(() => {
  client.sent.length = 0;
  server.answers.length = 0;
  seen = [];
});
afterAll(() => app.close());

/** The record of a request. Nobody answers it here. */
async function request(): Promise<Sent> {
  client.send('who', { text: 'x' }).subscribe();
  await until(() => client.sent.length > 0);
  return client.sent[0]!;
}

describe('a record', () => {
  it('leaves with the tenant in its headers, beside those of the application', async () => {
    const copied = { trace: 'x', 'fledge-tenant': 'b', 'fledge-impersonated-by': 'sam' };
    await tenancy.run('a', () =>
      firstValueFrom(client.emit('noted', { value: { id: 1 }, headers: copied })),
    );
    const batch = { messages: [{ value: '1' }, { value: '2' }] };
    await tenancy.run('b', () => firstValueFrom(client.emitBatch('noted', batch)));
    await firstValueFrom(client.emit('noted', { id: 3 }));
    const ofB = { 'fledge-tenant': 'b', 'fledge-tenant-id': 'b' };
    expect(client.sent.map(({ messages }) => messages.map(({ headers }) => headers))).toEqual([
      [{ trace: 'x', 'fledge-tenant': 'a', 'fledge-tenant-id': 'a' }],
      [ofB, ofB],
      [{}],
    ]);
  });

  it('is handled for its tenant, and answered', async () => {
    const record = await tenancy.run('a', request);
    await server.receive(record);
    await until(() => server.answers.length > 0);
    expect(server.answers[0]).toMatchObject({ topic: 'who.reply', messages: [{ value: 'x a' }] });
  });

  it('of a refused request is answered with the refusal', async () => {
    await server.receive(await request());
    await until(() => server.answers.length > 0);
    const error = server.answers[0]!.messages[0]!.headers[KafkaHeaders.NEST_ERR] as Buffer;
    expect(JSON.parse(error.toString())).toMatchObject({ code: 'TENANT_NOT_RESOLVED' });
  });

  it('of an event is handled for its tenant; refused it is dropped, so that its offset is committed', async () => {
    await tenancy.run('a', () => firstValueFrom(client.emit('noted', { id: 1 })));
    await firstValueFrom(client.emit('noted', { id: 2 }));
    for (const record of client.sent) await server.receive(record);
    expect(seen).toEqual(['1 a']);
  });
});
