import { request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Global,
  Inject,
  Injectable,
  Module,
  type ModuleMetadata,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { ScheduleModule } from '@nestjs/schedule';
import {
  TENANT_CONTEXT,
  Tenancy,
  type TenantAdapterOptions,
  type TenantContext,
  TenantContextMissingError,
  type TenantInvalidationReceiver,
  TenantModule,
  type TenantProvider,
} from '@fledge/tenant';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { sendRaw } from './raw-http.js';
import { until } from '../../../test/support/until.js';

const later = (ms = 1) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const MAILER = Symbol('MAILER');

class Mailer {
  ended = false;

  constructor(
    readonly of: string,
    readonly serial: number,
  ) {}

  async send(): Promise<string> {
    await later(Math.random() * 3);
    if (this.ended) throw new Error('ended');

    return this.of;
  }
}

/** A provider of mailers, and all it ever made. */
function mailers(more: Partial<TenantProvider<Mailer>> = {}) {
  const made: Mailer[] = [];
  const make = (of: string) => {
    const mailer = new Mailer(of, made.length);
    made.push(mailer);
    return mailer;
  };
  const provider: TenantProvider<Mailer> = {
    provide: MAILER,
    useFactory: async ({ tenantId }) => {
      await later();
      return make(tenantId);
    },
    dispose: async (mailer) => {
      await later();
      mailer.ended = true;
    },
    ...more,
  };
  return { made, make, provider };
}

let constructed = 0;

/** Lets the slow route go on, once it has begun. */
let release: (() => void) | undefined;

@Injectable()
class Letters {
  constructor(
    @Inject(MAILER) readonly mailer: Mailer,
    private readonly tenancy: Tenancy,
  ) {
    constructed += 1;
  }

  /** The tenants of what was sent: here, for b, and here again. */
  async around(): Promise<string[]> {
    const first = await this.mailer.send();
    const inside = await this.tenancy.run('b', () => this.mailer.send());
    return [first, inside, await this.mailer.send()];
  }
}

@Controller()
class LettersController {
  constructor(private readonly letters: Letters) {}

  @Get('send')
  async send() {
    return { of: await this.letters.mailer.send(), serial: this.letters.mailer.serial };
  }

  @Get('around')
  around() {
    return this.letters.around();
  }

  @Get('slow')
  async slow() {
    await new Promise<void>((resolve) => (release = resolve));
    return { of: await this.letters.mailer.send() };
  }
}

function appOf(
  providers: readonly TenantProvider[],
  { options = {}, ...metadata }: ModuleMetadata & { options?: Partial<TenantAdapterOptions> } = {},
): Type {
  @Module({
    ...metadata,
    imports: [
      TenantModule.forRoot({ strategy: 'header', ...options }),
      TenantModule.forFeature(providers),
      ...(metadata.imports ?? []),
    ],
    providers: metadata.providers ?? [Letters],
    controllers: metadata.controllers ?? [LettersController],
  })
  class AppModule {}
  return AppModule;
}

const open: { close(): Promise<void> }[] = [];
async function boot(module: Type) {
  const app = await NestFactory.createApplicationContext(module, {
    logger: false,
    abortOnError: false,
  });
  open.push(app);
  return app;
}

afterEach(async () => {
  constructed = 0;
  release = undefined;
  await closeAll();
  await Promise.all(open.splice(0).map((app) => app.close()));
});

const of = (tenant: string) => ({ headers: { 'x-tenant-id': tenant } });

describe.each(platforms)('TenantModule.forFeature on $name', (platform) => {
  it('gives each request the instance of its tenant, in singletons', async () => {
    const { made, provider } = mailers();
    const { url, app } = await serve(appOf([provider]), platform);
    const tenants = ['a', 'b', 'c'];
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, i) => call(`${url}/send`, of(tenants[i % 3]!))),
    );
    answers.forEach(({ body }, i) => expect(body).toMatchObject({ of: tenants[i % 3] }));
    expect(made.map((mailer) => mailer.of).sort()).toEqual(tenants);
    expect(constructed).toBe(1);
    expect(app.get(Letters)).toBe(await app.resolve(Letters));
  });

  it('follows a nested run, and returns to the outer tenant', async () => {
    const { provider } = mailers();
    const { url } = await serve(appOf([provider]), platform);
    expect((await call(`${url}/around`, of('a'))).body).toEqual(['a', 'b', 'a']);
  });

  it('answers 500 if an instance cannot be made, and tries again', async () => {
    let down = true;
    const { make, provider } = mailers();
    const flaky = {
      ...provider,
      useFactory: async ({ tenantId }: TenantContext) => {
        await later();
        if (down) throw new Error('ECONNREFUSED of the mail server');
        return make(tenantId);
      },
    };
    const { url } = await serve(appOf([flaky]), platform);
    expect(await call(`${url}/send`, of('a'))).toEqual({
      status: 500,
      body: { statusCode: 500, message: 'Internal server error' },
    });
    down = false;
    expect(await call(`${url}/send`, of('a'))).toMatchObject({ status: 200, body: { of: 'a' } });
  });

  it('does not evict an instance that a request uses', async () => {
    const { made, provider } = mailers({ max: 1 });
    const { url } = await serve(appOf([provider]), platform);
    const slow = call(`${url}/slow`, of('a'));
    await until(() => release !== undefined, 'the slow request');
    for (const tenant of ['b', 'c']) await call(`${url}/send`, of(tenant));
    expect(made[0]).toMatchObject({ of: 'a', ended: false });
    release?.();
    expect(await slow).toMatchObject({ status: 200, body: { of: 'a' } });
    await until(() => made.filter(({ ended }) => !ended).length === 1, 'the maximum');
  });

  it('releases the instance of a client that disconnected', async () => {
    const { made, provider, make } = mailers();
    let ready: (() => void) | undefined;
    const slow: TenantProvider<Mailer> = {
      ...provider,
      useFactory: async ({ tenantId }) => {
        await new Promise<void>((resolve) => (ready = resolve));
        return make(tenantId);
      },
    };
    const { url, app } = await serve(appOf([slow]), platform);
    const impatient = request(`${url}/send`, of('a'));
    impatient.on('error', () => undefined).end();
    await until(() => ready !== undefined, 'the factory');
    impatient.destroy();
    ready?.();
    await until(() => made.length === 1, 'the instance');
    app.get(Tenancy).invalidate('a');
    await until(() => made[0]?.ended === true, 'its end');
    expect(made).toMatchObject([{ of: 'a', ended: true }]);
  });

  it('returns to its maximum after clients disconnected', async () => {
    let ready: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (ready = resolve));
    let begun = 0;
    const { made, make, provider } = mailers({ max: 1 });
    const slow: TenantProvider<Mailer> = {
      ...provider,
      useFactory: async ({ tenantId }) => {
        begun += 1;
        await gate;
        return make(tenantId);
      },
    };
    const { url } = await serve(appOf([slow]), platform);
    const tenants = ['a', 'b', 'c', 'd'];
    const clients = tenants.map((tenant) => request(`${url}/send`, of(tenant)).end());
    for (const client of clients) client.on('error', () => undefined);
    await until(() => begun === tenants.length, 'all factories');
    const gone = clients.map((client) => new Promise((resolve) => client.once('close', resolve)));
    for (const client of clients) client.destroy();
    await Promise.all(gone);
    ready();
    await until(() => made.length >= tenants.length, 'all instances');
    await until(() => made.filter(({ ended }) => !ended).length === 1, 'the maximum');
  });

  it('makes a new instance after invalidate(), and ends the old one after its last request', async () => {
    const plans: Record<string, string> = { a: 'free' };
    const { made, provider, make } = mailers();
    const planned: TenantProvider<Mailer> = {
      ...provider,
      useFactory: ({ data }) => make((data as { plan: string }).plan),
    };
    const find = (tenantId: string) => ({ tenantId, data: { plan: plans[tenantId] } });
    const { url, app } = await serve(appOf([planned], { options: { store: find } }), platform);
    const slow = call(`${url}/slow`, of('a'));
    await until(() => release !== undefined, 'the slow request');
    plans['a'] = 'pro';
    expect((await call(`${url}/send`, of('a'))).body).toMatchObject({ of: 'free' });
    app.get(Tenancy).invalidate('a');
    expect((await call(`${url}/send`, of('a'))).body).toMatchObject({ of: 'pro' });
    release?.();
    expect((await slow).body).toMatchObject({ of: 'free' });
    await until(() => made[0]?.ended === true, 'its end');
    expect(made.map((mailer) => [mailer.of, mailer.ended])).toEqual([
      ['free', true],
      ['pro', false],
    ]);
  });

  it('ends all instances at shutdown, after the last request', async () => {
    const { made, provider } = mailers();
    const { app, url } = await serve(appOf([provider]), platform);
    await call(`${url}/send`, of('b'));
    const slow = sendRaw(url, '/slow', ['X-Tenant-ID: a']);
    await until(() => release !== undefined, 'the slow request');
    const closed = app.close();
    release?.();
    await closed;
    expect(await slow).toMatchObject({ status: 200, body: { of: 'a' } });
    expect(made.map(({ ended }) => ended)).toEqual([true, true]);
  });
});

describe('TenantModule.forFeature', () => {
  it('boots beside modules that inspect all providers', async () => {
    const { made, provider } = mailers();
    const app = await boot(
      appOf([provider], {
        imports: [ScheduleModule.forRoot(), EventEmitterModule.forRoot(), DiscoveryModule],
      }),
    );
    expect(made).toHaveLength(0);
    const mailer = app.get<Mailer>(MAILER);
    expect(() => mailer.of).toThrow(TenantContextMissingError);
    expect(() => mailer.of).toThrow('MAILER.of needs a tenant');
    await expect(app.get(Tenancy).runCentral('report', () => mailer.of)).rejects.toThrow(
      TenantContextMissingError,
    );
  });

  it("fails at boot if a constructor reads a tenant's instance", async () => {
    @Injectable()
    class Keeper {
      readonly send: unknown;
      constructor(@Inject(MAILER) mailer: Mailer) {
        this.send = mailer.send;
      }
    }
    const booting = boot(appOf([mailers().provider], { providers: [Letters, Keeper] }));
    await expect(booting).rejects.toThrow('MAILER.send needs a tenant');
  });

  it('separates two applications in one process', async () => {
    const [one, two] = [mailers(), mailers()];
    const apps = [await boot(appOf([one.provider])), await boot(appOf([two.provider]))];
    for (const app of apps) {
      await app.get(Tenancy).run('a', () => app.get<Mailer>(MAILER).send());
    }
    expect(one.made).toHaveLength(1);
    expect(two.made).toHaveLength(1);
  });

  it('passes dependencies to a factory, also per-tenant ones', async () => {
    class Config {
      readonly from = 'post@example.com';
    }
    @Global()
    @Module({ providers: [Config], exports: [Config] })
    class ConfigModule {}
    const LETTER = 'LETTER';
    const { provider } = mailers();
    const letter: TenantProvider = {
      provide: LETTER,
      inject: [MAILER, Config, TENANT_CONTEXT, { token: 'NOWHERE', optional: true }],
      useFactory: async (
        { tenantId }: TenantContext,
        mailer: Mailer,
        config: Config,
        current: TenantContext,
        nowhere?: unknown,
      ) => {
        await later();
        return { parts: [tenantId, mailer.of, config.from, current.tenantId, nowhere] };
      },
    };
    const app = await boot(
      appOf([letter, provider], { imports: [ConfigModule], providers: [], controllers: [] }),
    );
    const parts = () => app.get<{ parts: unknown[] }>(LETTER).parts;
    const [a, b] = await Promise.all(['a', 'b'].map((id) => app.get(Tenancy).run(id, parts)));
    expect(a).toEqual(['a', 'a', 'post@example.com', 'a', undefined]);
    expect(b).toEqual(['b', 'b', 'post@example.com', 'b', undefined]);
  });

  it('is exported by a module that exports the result of the call', async () => {
    const { provider } = mailers();
    const feature = TenantModule.forFeature([provider]);
    @Module({ imports: [feature], exports: [feature] })
    class MailModule {}
    @Module({
      imports: [TenantModule.forRoot({ strategy: 'header' }), MailModule],
      providers: [Letters],
    })
    class AppModule {}
    const app = await NestFactory.createApplicationContext(AppModule, {
      logger: false,
      abortOnError: false,
    });
    const { mailer } = app.get(Letters);
    expect(await app.get(Tenancy).run('a', () => mailer.send())).toBe('a');
    await app.close();
  });

  it('does not start if the factories of one call depend on each other', async () => {
    const useFactory = () => ({});
    const OTHER = Symbol('OTHER');
    const cycle: TenantProvider[] = [
      { provide: 'FREE', inject: ['LETTER'], useFactory },
      { provide: 'LETTER', inject: [{ token: OTHER, optional: true }, 'FREE_TOO'], useFactory },
      { provide: 'FREE_TOO', useFactory },
      { provide: OTHER, inject: [Mailer], useFactory },
      { provide: Mailer, inject: ['LETTER'], useFactory },
    ];
    expect(() => TenantModule.forFeature(cycle)).toThrow(
      'The factories of per-tenant providers depend on each other: LETTER -> OTHER -> Mailer -> LETTER.',
    );
    const own: TenantProvider = { provide: OTHER, inject: [OTHER], useFactory };
    expect(() => TenantModule.forFeature([own])).toThrow('OTHER -> OTHER.');
  });

  it('warms instances up at boot, and boots although one fails', async () => {
    const { made, provider } = mailers({ warm: ['a', 'gone', 'b'] });
    const find = (id: string) => (id === 'gone' ? null : { tenantId: id });
    await boot(appOf([provider], { options: { store: find } }));
    expect(made.map((mailer) => mailer.of).sort()).toEqual(['a', 'b']);
  });

  it('is ready synchronously in a scope of the tenant', async () => {
    const { made, provider } = mailers();
    const app = await boot(appOf([provider]));
    const mailer = app.get<Mailer>(MAILER);
    const tenancy = app.get(Tenancy);
    const outcomes = await tenancy.forEach(
      ['a', 'b', 'a'],
      () => [mailer.of, mailer.serial] as const,
      { concurrency: 3 },
    );
    expect(outcomes).toMatchObject([{ value: ['a', 0] }, { value: ['b', 1] }, { value: ['a', 0] }]);
    const bound = await tenancy.run('a', () => tenancy.bind(() => mailer.of));
    expect(bound()).toBe('a');
    expect(made).toHaveLength(2);
  });

  describe.each(['at once', 'later'])('with factories that return their instances %s', (when) => {
    const events: string[] = [];
    let receiver: TenantInvalidationReceiver;

    class Rows {
      closed = false;
      constructor(readonly name: string) {}
      write(text: string) {
        events.push(`write ${text} to ${this.name}${this.closed ? ', closed' : ''}`);
      }
      close() {
        this.closed = true;
        events.push(`close ${this.name}`);
      }
    }

    class Outbox {
      readonly texts: string[] = [];
      constructor(private readonly rows: Rows) {}
      async flush() {
        await later();
        for (const text of this.texts) this.rows.write(text);
      }
    }

    const start = async (options: Partial<TenantAdapterOptions> = {}) => {
      let made = 0;
      const ready = <T>(instance: T) =>
        when === 'later' ? later().then(() => instance) : instance;
      const providers: TenantProvider[] = [
        {
          provide: Rows,
          connections: 1,
          useFactory: ({ tenantId }: TenantContext) => ready(new Rows(`${tenantId}${++made}`)),
          dispose: (rows: Rows) => rows.close(),
        },
        {
          provide: Outbox,
          inject: [Rows],
          useFactory: (_: TenantContext, rows: Rows) => ready(new Outbox(rows)),
          dispose: (outbox: Outbox) => outbox.flush(),
        },
      ];
      const invalidations = {
        start: async (given: TenantInvalidationReceiver) => void (receiver = given),
        send: () => undefined,
        stop: async () => undefined,
      };
      events.length = 0;
      const app = await boot(
        appOf(providers, {
          providers: [],
          controllers: [],
          options: { invalidations, ...options },
        }),
      );
      return { app, tenancy: app.get(Tenancy), outbox: app.get<Outbox>(Outbox) };
    };
    const EXPECTED = ['write mail to a1', 'close a1'];

    it.each<[string, (tenancy: Tenancy) => unknown]>([
      ['invalidate()', (tenancy) => tenancy.invalidate('a')],
      ['a missed message', () => receiver.missed()],
    ])('disposes a provider before the provider that it uses: %s', async (_, invalidate) => {
      const { tenancy, outbox } = await start();
      await tenancy.run('a', () => outbox.texts.push('mail'));
      invalidate(tenancy);
      await until(() => events.length === 2, 'both instances');
      expect(events).toEqual(EXPECTED);
    });

    it('disposes a provider before the provider that it uses, if all shut down at once', async () => {
      const { app, tenancy, outbox } = await start();
      await tenancy.run('a', () => outbox.texts.push('mail'));
      // Like NestJS 11 and `fledge tenant`.
      const providers = app.get(DiscoveryService).getProviders();
      await Promise.all(
        providers.map(({ instance }) =>
          (instance as Partial<OnApplicationShutdown> | null)?.onApplicationShutdown?.(),
        ),
      );
      expect(events).toEqual(EXPECTED);
    });

    it('disposes a provider before the provider that it uses, after the last use', async () => {
      const { tenancy, outbox } = await start();
      await tenancy.run('a', async () => {
        tenancy.invalidate('a');
        await tenancy.run('a', () => undefined); // with new instances
        outbox.texts.push('mail');
      });
      await until(() => events.length === 2, 'both instances');
      expect(events).toEqual(EXPECTED);
    });

    it('disposes a provider before the provider that it uses, for another tenant', async () => {
      const { tenancy, outbox } = await start({ budget: { connections: 1 } });
      await tenancy.run('a', () => outbox.texts.push('mail'));
      await tenancy.run('b', () => undefined);
      expect(events).toEqual(EXPECTED);
    });
  });
});

it('overrideProvider() of a testing module replaces the factory, the budget and the warm-up', async () => {
  const { provider, made } = mailers({ connections: 1, warm: ['acme'] });
  const module = await Test.createTestingModule({
    imports: [
      TenantModule.forRoot({ strategy: 'header', budget: { connections: 1 } }),
      TenantModule.forFeature([provider, { ...mailers().provider, provide: 'OTHER' }]),
    ],
  })
    .overrideProvider(MAILER)
    .useValue('mock')
    .compile();
  await module.init();
  expect(await module.get(Tenancy).run('acme', () => module.get<unknown>(MAILER))).toBe('mock');
  expect(made).toEqual([]);
  await module.close();
});
