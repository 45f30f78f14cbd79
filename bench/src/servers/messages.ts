// A Nest application that sends messages to itself. GET /batch sends one for each of 50 tenants at once, and answers how
// many answers named another tenant.
// Arguments: transport (TCP | Redis | RabbitMQ | NATS | MQTT | gRPC), then `bare` (no Fledge), `module` (only
// senders have a tenant) or `tenant`.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Controller, Get, Inject, Module, Optional } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TENANT_CONTEXT, Tenancy, type TenantContext, TenantModule } from '@fledge/tenant';
import { TenantMicroservicesModule } from '@fledge/tenant/microservices';
import type {
  ClientGrpc,
  ClientOptions,
  ClientProxy,
  MicroserviceOptions,
} from '@nestjs/microservices';
import { firstValueFrom, type Observable } from 'rxjs';
import { listen, platformAdapter } from './platform.js';
import { report } from './report.js';

// The copy that @fledge/tenant imports: the benchmarks install another one.
const root = createRequire(new URL('../../../libs/tenant/package.json', import.meta.url));
const { ClientsModule, GrpcMethod, MessagePattern, Transport } = (await import(
  pathToFileURL(root.resolve('@nestjs/microservices')).href
)) as typeof import('@nestjs/microservices');

const [name = '', way] = process.argv.slice(2);
const run = randomUUID().slice(0, 8);
const pattern = `whose-${run}`;
const tenants = Array.from({ length: 50 }, (_, i) => `t${i}`);

const port = 20_000 + (process.pid % 20_000);
const redis = new URL(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379');
const rabbit = process.env['RABBITMQ_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672';
const transports: Readonly<Record<string, object>> = {
  TCP: { transport: Transport.TCP, options: { host: '127.0.0.1', port } },
  Redis: {
    transport: Transport.REDIS,
    options: { host: redis.hostname, port: Number(redis.port || 6379) },
  },
  RabbitMQ: {
    transport: Transport.RMQ,
    options: { urls: [rabbit], queue: pattern, queueOptions: { durable: false, autoDelete: true } },
  },
  NATS: {
    transport: Transport.NATS,
    options: { servers: [process.env['NATS_URL'] ?? 'nats://127.0.0.1:4222'] },
  },
  MQTT: {
    transport: Transport.MQTT,
    options: { url: process.env['MQTT_URL'] ?? 'mqtt://127.0.0.1:1883' },
  },
  gRPC: {
    transport: Transport.GRPC,
    options: {
      package: 'talk',
      url: `127.0.0.1:${port}`,
      protoPath: fileURLToPath(
        new URL('../../../libs/tenant/test/transports/talk.proto', import.meta.url),
      ),
    },
  },
};
const transport = transports[name];
if (transport === undefined) throw new Error(`No such transport: ${name}`);

interface Text {
  readonly text: string;
}

@Controller()
class TalkController {
  constructor(
    @Inject('CLIENT') private readonly client: ClientProxy & ClientGrpc,
    @Optional() @Inject(TENANT_CONTEXT) private readonly tenant?: TenantContext,
    @Optional() @Inject(Tenancy) private readonly tenancy?: Tenancy,
  ) {}

  @GrpcMethod('Talk', 'Ask')
  answerCall(text: Text): Text {
    return this.answer(text);
  }

  @MessagePattern(pattern)
  answer({ text }: Text): Text {
    return { text: way === 'tenant' ? this.tenant!.tenantId : text };
  }

  @Get('batch')
  async batch() {
    const texts = await Promise.all(tenants.map((tenant) => this.ask(tenant)));
    return { wrong: texts.filter((text, i) => text !== tenants[i]).length };
  }

  private async ask(tenant: string): Promise<string> {
    const send = () => firstValueFrom(this.send({ text: tenant }));
    const { text } = await (this.tenancy === undefined ? send() : this.tenancy.run(tenant, send));
    return text;
  }

  private readonly send = (text: Text): Observable<Text> =>
    name === 'gRPC'
      ? this.client.getService<{ ask(text: Text): Observable<Text> }>('Talk').ask(text)
      : this.client.send<Text>(pattern, text);
}

// Requests name no tenant: each message does.
const tenantModule = TenantModule.forRoot({ strategy: 'header', mode: 'central' });
const imports = {
  bare: [],
  module: [tenantModule],
  tenant: [tenantModule, TenantMicroservicesModule.forRoot({ mode: 'tenant' })],
}[way ?? ''];
if (imports === undefined) throw new Error(`Not bare, module or tenant: ${way}`);

@Module({
  imports: [
    ClientsModule.register([{ name: 'CLIENT', ...(transport as ClientOptions) }]),
    ...imports,
  ],
  controllers: [TalkController],
})
class AppModule {}

const app = await NestFactory.create(AppModule, platformAdapter('Express'), {
  logger: ['error', 'warn'],
});
app.connectMicroservice<MicroserviceOptions>(transport as MicroserviceOptions);
await app.startAllMicroservices();
report(await listen(app));
