// Needs Redis, RabbitMQ, NATS, MQTT.
// What an application may set beside TenantMicroservicesModule, over TCP in applications without HTTP.
import { type TenantAdapterOptions, Tenancy, TenantModule } from '@fledge/tenant';
import {
  TenantMicroservicesModule,
  type TenantMicroservicesOptions,
} from '@fledge/tenant/microservices';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  type DynamicModule,
  Injectable,
  Module,
  type ModuleMetadata,
  Scope,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  Client,
  ClientProxy,
  ClientsModule,
  type ClientProviderOptions,
  MessagePattern,
  Transport,
} from '@nestjs/microservices';
import { ClsModule } from 'nestjs-cls';
import { catchError, EMPTY, firstValueFrom, of, retry, tap } from 'rxjs';
import { freePort } from '../../../../test/support/processes.js';
import { Tenants } from '../transports/tenants.js';
import { TenantWitness } from '../witness.js';

@Controller()
class Receiver {
  constructor(private readonly witness: TenantWitness) {}

  @MessagePattern('who')
  async who() {
    await new Promise((resolve) => setImmediate(resolve));
    return this.witness.tenantId;
  }
}

@Controller({ scope: Scope.REQUEST })
class ScopedReceiver {
  private readonly madeFor: string;

  constructor(private readonly witness: TenantWitness) {
    this.madeFor = witness.tenantId;
  }

  @MessagePattern('who-made')
  who() {
    return `${this.madeFor} ${this.witness.tenantId}`;
  }
}

interface Setup {
  readonly tenant?: Partial<TenantAdapterOptions>;
  readonly microservices?: TenantMicroservicesOptions;
  readonly imports?: ModuleMetadata['imports'];
  readonly client?: object;
  readonly server?: object;
}

const running: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const app of running.splice(0).toReversed()) await app.close();
});

const quiet = { logger: false, abortOnError: false } as const;

/** A microservice, and an application that sends to it. */
async function setup({ tenant, microservices, imports = [], client, server }: Setup = {}) {
  const tenants = new Tenants('a', 'b');
  tenants.records.set('paused', { tenantId: 'paused', status: 'suspended' });
  const tenantModule = () =>
    TenantModule.forRoot({ strategy: 'header', store: tenants, ...tenant });
  const module = (more: ModuleMetadata): DynamicModule => ({ module: class {}, ...more });
  const where = { host: '127.0.0.1', port: await freePort() };

  const service = await NestFactory.createMicroservice(
    module({
      imports: [
        ...imports,
        tenantModule(),
        microservices
          ? TenantMicroservicesModule.forRoot(microservices)
          : TenantMicroservicesModule,
      ],
      controllers: [Receiver, ScopedReceiver],
      providers: [TenantWitness],
    }),
    { ...quiet, transport: Transport.TCP, options: { ...where, ...server } },
  );
  await service.listen();
  const options = { transport: Transport.TCP, options: { ...where, ...client } };
  const sender = await NestFactory.createApplicationContext(
    module({
      imports: [
        tenantModule(),
        TenantMicroservicesModule,
        ClientsModule.register([{ name: 'CLIENT', ...options } as ClientProviderOptions]),
      ],
    }),
    quiet,
  );
  running.push(service, sender);
  const proxy = sender.get<ClientProxy>('CLIENT');
  const tenancy = sender.get(Tenancy);
  /** An error is an answer. */
  const ask = (identifier: string | undefined, pattern = 'who') => {
    const send = () =>
      firstValueFrom(
        proxy.send<unknown>(pattern, {}).pipe(catchError((error: unknown) => of(error))),
      );
    if (identifier === undefined) return send();
    return tenancy.run({ tenantId: identifier }, send);
  };
  return { ask, proxy, tenancy, tenants, service };
}

describe('the mode', () => {
  it.each([
    [undefined, undefined, 'a', expect.objectContaining({ code: 'TENANT_NOT_RESOLVED' })],
    ['universal', undefined, 'a', 'nobody'],
    ['tenant', 'universal', 'a', 'nobody'],
    ['universal', 'tenant', 'a', expect.objectContaining({ code: 'TENANT_NOT_RESOLVED' })],
    ['tenant', 'central', 'nobody', 'nobody'],
  ] as const)('%s of TenantModule and %s of messages', async (mode, own, named, unnamed) => {
    const { ask } = await setup({
      ...(mode && { tenant: { mode } }),
      ...(own && { microservices: { mode: own } }),
    });
    expect(await ask('a')).toEqual(named);
    expect(await ask(undefined)).toEqual(unnamed);
  });

  it('is refused if it is none, as are other options', () => {
    expect(() => TenantMicroservicesModule.forRoot({ mode: 'all' as never })).toThrow(
      `TenantMicroservicesModule.forRoot({ mode }) is "all", but must be 'tenant', 'universal' or 'central'.`,
    );
    expect(() => TenantMicroservicesModule.forRoot({ modus: 'central' } as never)).toThrow('modus');
  });
});

it('hides why a tenant is refused, with errors.opaque', async () => {
  const { ask } = await setup({ tenant: { errors: { opaque: true } } });
  expect(await ask('paused')).toMatchObject({ code: 'TENANT_UNKNOWN' });
});

it('answers with an unexpected error where the store fails', async () => {
  const { ask } = await setup({
    tenant: {
      store: () => {
        throw new Error('secret');
      },
    },
  });
  const answer = await ask('a');
  expect(answer).toMatchObject({ code: 'TENANT_STORE_UNAVAILABLE' });
  expect(JSON.stringify(answer)).not.toContain('secret');
});

it('looks the tenant up for each message', async () => {
  const { ask, tenants } = await setup({ tenant: { cache: false } });
  expect(await ask('a')).toBe('a');
  tenants.records.set('a', { tenantId: 'another' });
  expect(await ask('a')).toMatchObject({ code: 'TENANT_MISMATCH' });
  tenants.records.delete('a');
  expect(await ask('a')).toMatchObject({ code: 'TENANT_UNKNOWN' });
});

it('reaches controllers that are made for each message', async () => {
  const { ask } = await setup();
  expect(await Promise.all(['a', 'b'].map((id) => ask(id, 'who-made')))).toEqual(['a a', 'b b']);
});

it.each([
  ['guard', ClsModule.forRoot({ guard: { mount: true } })],
  ['interceptor', ClsModule.forRoot({ interceptor: { mount: true } })],
])('stays where nestjs-cls opens a store by its %s', async (_, cls) => {
  const { ask } = await setup({ imports: [cls] });
  expect(await Promise.all(['a', 'b', 'a'].map((id) => ask(id)))).toEqual(['a', 'b', 'a']);
});

// Nest has the hook from 12.0.4 on.
const itWithHook = 'setOnDispatchHook' in ClientProxy.prototype ? it : it.skip;

itWithHook('leaves metadata and hooks of the application as they are', async () => {
  const got: unknown[] = [];
  const { proxy, tenancy } = await setup({
    server: {
      deserializer: {
        deserialize: (packet: { metadata?: unknown }) => {
          got.push(packet.metadata);
          return packet;
        },
      },
    },
  });
  const metadata = { trace: 'x', 'fledge-tenant': 'b', 'fledge-impersonated-by': 'sam' };
  proxy.setOnDispatchHook((packet) => Object.assign(packet, { metadata }));
  await tenancy.run('a', () => firstValueFrom(proxy.send('who', {})));
  expect(got).toEqual([{ trace: 'x', 'fledge-tenant': 'a', 'fledge-tenant-id': 'a' }]);
});

it('is that of the subscriber when a message is sent again', async () => {
  const { proxy, tenancy } = await setup();
  // The connection is the one that a opened.
  await tenancy.run('a', () => firstValueFrom(proxy.send('who', {})));
  let attempts = 0;
  const failOnce = tap(() => {
    if ((attempts += 1) === 1) throw new Error('again');
  });
  const answer = tenancy.run('b', () =>
    firstValueFrom(proxy.send('who', {}).pipe(failOnce, retry(1))),
  );
  expect([await answer, attempts]).toEqual(['b', 2]);
});

it('leaves with clients that @Client() makes', async () => {
  const port = await freePort();

  @Injectable()
  class Sender {
    @Client({ transport: Transport.TCP, options: { host: '127.0.0.1', port } })
    readonly client!: ClientProxy;
  }

  @Module({
    imports: [TenantModule.forRoot({ strategy: 'header' }), TenantMicroservicesModule],
    controllers: [Receiver],
    providers: [TenantWitness, Sender],
  })
  class BothModule {}

  const app = await NestFactory.createMicroservice(BothModule, {
    ...quiet,
    transport: Transport.TCP,
    options: { host: '127.0.0.1', port },
  });
  await app.listen();
  running.push(app);
  const { client } = app.get(Sender);
  const answer = await app.get(Tenancy).run('a', () => firstValueFrom(client.send('who', {})));
  await client.close();
  expect(answer).toBe('a');
});

it('leaves a strategy of the application without packets as it is', async () => {
  const handlers = new Map<string, unknown>();
  class Strategy {
    addHandler = (pattern: string, handler: unknown) => void handlers.set(pattern, handler);
    listen = (done: () => void) => done();
    close = () => EMPTY;
    on = () => {};
    unwrap = () => undefined;
  }
  const app = await NestFactory.createMicroservice(
    {
      module: class {},
      imports: [TenantModule.forRoot({ strategy: 'header' }), TenantMicroservicesModule],
      controllers: [Receiver],
      providers: [TenantWitness],
    },
    { ...quiet, strategy: new Strategy() as never },
  );
  await app.listen();
  running.push(app);
  const who = handlers.get('who') as () => Promise<unknown>;
  expect(await app.get(Tenancy).run('a', who)).toBe('a');
});

it('is refused if it is imported twice with options', async () => {
  const imports = [
    TenantModule.forRoot({ strategy: 'header' }),
    TenantMicroservicesModule,
    TenantMicroservicesModule.forRoot({ mode: 'central' }),
  ];
  await expect(
    NestFactory.createApplicationContext({ module: class {}, imports }, quiet),
  ).rejects.toThrow('TenantMicroservicesModule is imported twice');
});
