// Needs Redis, redis-server.
// Hybrid applications that receive messages before listen(), and a broker that restarts under a subscriber.
import { Tenancy, TenantModule } from '@fledge/tenant';
import { TenantMicroservicesModule } from '@fledge/tenant/microservices';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Inject, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  ClientProxy,
  ClientsModule,
  EventPattern,
  MessagePattern,
  type MicroserviceOptions,
  Transport,
} from '@nestjs/microservices';
import { catchError, firstValueFrom, of, timeout } from 'rxjs';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { TenantWitness } from '../witness.js';

const quiet = { logger: false, abortOnError: false } as const;
const running: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const app of running.splice(0).toReversed()) await app.close();
});

/** What handlers of events saw. */
const seen: string[] = [];

@Controller()
class Receiver {
  constructor(
    private readonly witness: TenantWitness,
    @Inject('CLIENT') private readonly client: ClientProxy,
  ) {}

  @MessagePattern('who')
  async who() {
    await new Promise((resolve) => setImmediate(resolve));
    return this.witness.tenantId;
  }

  /** Sends a message while it handles one. */
  @MessagePattern('relay')
  relay() {
    return answer(this.client, 'who');
  }

  @EventPattern<string>('noted')
  noted() {
    seen.push(this.witness.tenantId);
  }

  @Get('who')
  overHttp() {
    return this.witness.tenantId;
  }
}

/** An error is an answer. */
function answer(client: ClientProxy, pattern: string): Promise<unknown> {
  const code = catchError((error: { code?: string }) => of(error.code ?? error));
  return firstValueFrom(client.send<unknown>(pattern, {}).pipe(code));
}

/** An application that sends to itself, and one that sends to it. */
async function setup(way: MicroserviceOptions, adapter = platforms[0]!.adapter) {
  // Of each application: with modules in common they would have one client.
  const imports = () => [
    TenantModule.forRoot({ strategy: 'header' }),
    TenantMicroservicesModule,
    ClientsModule.register([{ name: 'CLIENT', ...way } as never]),
  ];

  @Module({ imports: imports(), controllers: [Receiver], providers: [TenantWitness] })
  class ReceivingModule {}

  const app = await NestFactory.create<INestApplication>(ReceivingModule, adapter(), quiet);
  app.connectMicroservice<MicroserviceOptions>(way);
  const sender = await NestFactory.createApplicationContext(
    { module: class {}, imports: imports() },
    quiet,
  );
  running.push(app, sender);
  const client = sender.get<ClientProxy>('CLIENT');
  const tenancy = sender.get(Tenancy);
  const ask = (tenant: string, pattern = 'who') =>
    tenancy.run(tenant, () => answer(client, pattern));
  return { app, ask, client, tenancy };
}

const asked = (ask: (tenant: string) => Promise<unknown>) => Promise.all(['a', 'b'].map(ask));

async function tcp(): Promise<MicroserviceOptions> {
  const options = { host: '127.0.0.1', port: await freePort() };
  return { transport: Transport.TCP, options };
}

describe.each(platforms)('a hybrid application on $name', ({ adapter }) => {
  it('has the tenant of a message before listen(), but what it sends then has none', async () => {
    const { app, ask } = await setup(await tcp(), adapter);
    await app.startAllMicroservices();
    expect(await asked((tenant) => ask(tenant))).toEqual(['a', 'b']);
    expect(await ask('a', 'relay')).toBe('TENANT_NOT_RESOLVED');
    await app.listen(0, '127.0.0.1');
    expect(await asked((tenant) => ask(tenant))).toEqual(['a', 'b']);
    expect(await asked((tenant) => ask(tenant, 'relay'))).toEqual(['a', 'b']);
    const headers = { 'x-tenant-id': 'b' };
    expect(await (await fetch(`${await app.getUrl()}/who`, { headers })).text()).toBe('b');
  });

  it('sends the tenant before listen(), after init()', async () => {
    const { app, ask } = await setup(await tcp(), adapter);
    await app.init();
    await app.startAllMicroservices();
    expect(await asked((tenant) => ask(tenant, 'relay'))).toEqual(['a', 'b']);
    await app.listen(0, '127.0.0.1');
    expect(await asked((tenant) => ask(tenant, 'relay'))).toEqual(['a', 'b']);
  });

  it('has it if microservices start after listen()', async () => {
    const { app, ask } = await setup(await tcp(), adapter);
    await app.listen(0, '127.0.0.1');
    await app.startAllMicroservices();
    expect(await asked((tenant) => ask(tenant))).toEqual(['a', 'b']);
    expect(await asked((tenant) => ask(tenant, 'relay'))).toEqual(['a', 'b']);
  });
});

it('the tenant is right after Redis restarted', async () => {
  const port = await freePort();
  let stopRedis = await startOwnRedis(port);
  const retry = { retryAttempts: 1_000, retryDelay: 50 };
  const options = { host: '127.0.0.1', port, ...retry };
  try {
    const { app, ask, client, tenancy } = await setup({ transport: Transport.REDIS, options });
    await app.init();
    await app.startAllMicroservices();
    expect(await asked((tenant) => ask(tenant))).toEqual(['a', 'b']);

    await stopRedis();
    stopRedis = await startOwnRedis(port);
    seen.length = 0;
    // Events are lost until the subscriber is back.
    await until(async () => {
      await tenancy.run('b', () => {
        const sent = client.emit('noted', {}).pipe(catchError(() => of(null)));
        return firstValueFrom(sent, { defaultValue: null });
      });
      return seen.length > 0;
    }, 'an event');
    // Replies are lost until the subscriber of the client is back. Each attempt ends its subscription, because a
    // client subscribes only for the first of several messages.
    await until(async () => {
      const reply = client.send('who', {}).pipe(timeout(500));
      const ended = reply.pipe(catchError(() => of(null)));
      return (await tenancy.run('a', () => firstValueFrom(ended))) === 'a';
    }, 'a reply to a message');
    const crowd = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
    expect(await Promise.all(crowd.map((tenant) => ask(tenant)))).toEqual(crowd);
    expect(await asked((tenant) => ask(tenant, 'relay'))).toEqual(['a', 'b']);
    expect(new Set(seen)).toEqual(new Set(['b']));
  } finally {
    await Promise.all(running.splice(0).map((app) => app.close()));
    await stopRedis();
  }
});
