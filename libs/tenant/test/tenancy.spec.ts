import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Inject, Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { RequestContext } from '@fledge/core';
import {
  TENANT_CONTEXT,
  type TenantAdapterOptions,
  type TenantContext,
  Tenancy,
  TenantModule,
} from '@fledge/tenant';
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { ClsServiceManager } from 'nestjs-cls';
import { firstValueFrom, Observable, toArray } from 'rxjs';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';

const later = (ms = 1) => new Promise((resolve) => setTimeout(resolve, ms));
const cls = ClsServiceManager.getClsService();

@Injectable()
class Reader {
  constructor(@Inject(TENANT_CONTEXT) readonly tenant: TenantContext) {}
}

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await closeAll();
  await Promise.all(open.splice(0).map((app) => app.close()));
});

/** The services of an application that serves nothing. */
async function boot(options: Partial<TenantAdapterOptions> = {}) {
  @Module({
    imports: [TenantModule.forRoot({ strategy: 'header', ...options })],
    providers: [Reader],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, {
    logger: false,
    abortOnError: false,
  });
  open.push(app);
  return { tenancy: app.get(Tenancy), reader: app.get(Reader) };
}

const names = { acme: 't-1', beta: 't-2', gone: 't-3' } as const;
const store: NonNullable<TenantAdapterOptions['store']> = {
  find: (identifier) =>
    identifier in names
      ? {
          tenantId: names[identifier as keyof typeof names],
          status: identifier === 'gone' ? 'suspended' : 'active',
        }
      : null,
  list: () => Object.entries(names).map(([identifier, tenantId]) => ({ tenantId, identifier })),
};

describe('tenancy.run', () => {
  it('runs for the tenant, and only inside', async () => {
    const { tenancy, reader } = await boot();
    const result = await tenancy.run('acme', async () => {
      await later();
      return reader.tenant.tenantId;
    });
    expect(result).toBe('acme');
    expect(tenancy.currentOrNull()).toBeNull();
    expect(() => tenancy.current()).toThrow(
      expect.objectContaining({ code: 'TENANT_CONTEXT_MISSING' }),
    );
  });

  it('covers lazy results: awaited, iterated and subscribed', async () => {
    const { tenancy } = await boot();
    const read = () => tenancy.current().tenantId;
    await tenancy.run('a', async () => {
      const thenable = { then: (resolve: (value: string) => void) => resolve(read()) };
      expect(await tenancy.run('b', () => thenable)).toBe('b');

      const generator = await tenancy.run('b', async function* () {
        yield read();
        await later();
        yield read();
      });
      const seen: string[] = [];
      for await (const value of generator) seen.push(value, read());
      expect(seen).toEqual(['b', 'a', 'b', 'a']);

      const sync = await tenancy.run('b', function* () {
        yield read();
      });
      expect([...sync]).toEqual(['b']);

      const stream = await tenancy.run(
        'b',
        () =>
          new Observable<string>((subscriber) => {
            subscriber.next(read());
            setTimeout(() => {
              subscriber.next(read());
              subscriber.complete();
            }, 1);
          }),
      );
      expect(await firstValueFrom(stream.pipe(toArray()))).toEqual(['b', 'b']);
      expect(read()).toBe('a');
    });
  });

  it('reports a missing name in forEach() as a mistake, and continues', async () => {
    const { tenancy } = await boot();
    const names = [undefined as never, 'acme'];
    expect(await tenancy.forEach(names, () => 1, { onError: 'collect' })).toMatchObject([
      { status: 'failed', error: { code: 'TENANT_INVALID_OPTION' } },
      { status: 'done' },
    ]);
  });

  it('tells clients about a malformed identifier, but not about the call', async () => {
    const { tenancy } = await boot();
    await expect(tenancy.run("a'b", () => undefined)).rejects.toMatchObject({
      status: 400,
      message: 'The input contains an invalid tenant identifier',
    });
  });

  it('ends a generator that is left early in the scope', async () => {
    const { tenancy } = await boot();
    let ended: string | undefined;
    const generator = await tenancy.run('b', async function* () {
      try {
        yield 1;
        yield 2;
      } finally {
        ended = tenancy.current().tenantId;
      }
    });
    for await (const value of generator) if (value === 1) break;
    expect(ended).toBe('b');
  });

  it('restores the outer tenant after an error, and separates concurrent runs', async () => {
    const { tenancy } = await boot();
    await tenancy.run('a', async () => {
      await expect(tenancy.run('b', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      expect(tenancy.current().tenantId).toBe('a');
    });
    const slow = tenancy.run('a', async () => (await later(10), tenancy.current().tenantId));
    const quick = tenancy.run('b', async () => (await later(1), tenancy.current().tenantId));
    expect(await Promise.all([slow, quick])).toEqual(['a', 'b']);
  });

  it('starts from a fresh store without the values of the outer tenant', async () => {
    const { tenancy } = await boot();
    await tenancy.run('a', async () => {
      cls.set('transaction', 'of a');
      expect(await tenancy.run('b', () => cls.get<unknown>('transaction'))).toBeUndefined();
      expect(cls.get<unknown>('transaction')).toBe('of a');
    });
  });

  it('copies the tenant when it is called', async () => {
    const { tenancy, reader } = await boot();
    await tenancy.run('a', async () => {
      const outer = tenancy.current();
      await tenancy.run('b', async () => {
        expect(await tenancy.run(outer, () => tenancy.current().tenantId)).toBe('a');
        expect(await tenancy.run(reader.tenant, () => tenancy.current().tenantId)).toBe('b');
      });
    });
  });

  it.each([
    ['nope', 'TENANT_UNKNOWN'],
    ['gone', 'TENANT_SUSPENDED'],
    ["a'b", 'TENANT_INVALID'],
    ['', 'TENANT_INVALID'],
  ])('refuses %j (%s) before anything runs', async (identifier, code) => {
    const { tenancy } = await boot({ store });
    let ran = false;
    await expect(tenancy.run(identifier, () => (ran = true))).rejects.toMatchObject({ code });
    expect(ran).toBe(false);
  });

  it('keeps other async contexts of the application', async () => {
    const { tenancy } = await boot();
    const own = new AsyncLocalStorage<string>();
    await own.run('kept', async () => {
      expect(await tenancy.run('a', () => own.getStore())).toBe('kept');
    });
  });
});

describe('tenancy', () => {
  it('runs without a tenant in runCentral(), and passes the reason to the hook', async () => {
    const reasons: string[] = [];
    const { tenancy } = await boot({ hooks: { central: (reason) => void reasons.push(reason) } });
    await tenancy.run('a', async () => {
      expect(await tenancy.runCentral('report', () => tenancy.currentOrNull())).toBeNull();
      expect(tenancy.current().tenantId).toBe('a');
    });
    expect(reasons).toEqual(['report']);
  });

  it('survives a hook that throws', async () => {
    const central = () => {
      throw new Error('audit is down');
    };
    const { tenancy } = await boot({ hooks: { central } });
    expect(await tenancy.runCentral('report', () => 1)).toBe(1);
  });

  it('runs forEach() for a list, or for all tenants of the store', async () => {
    const { tenancy } = await boot({ store });
    const outcomes = await tenancy.forEach(['acme', 'nope', 'beta'], (tenant) => tenant.tenantId, {
      onError: 'collect',
    });
    expect(outcomes).toMatchObject([
      { tenant: 'acme', status: 'done', value: 't-1' },
      { tenant: 'nope', status: 'failed', error: { code: 'TENANT_UNKNOWN' } },
      { tenant: 'beta', status: 'done', value: 't-2' },
    ]);
    const all = await tenancy.forEach('all', () => tenancy.current().tenantId);
    expect(all.map(({ tenant }) => tenant)).toEqual(Object.values(names));
    // What a run for all of them sends on is understood where it arrives.
    const sent = await tenancy.forEach('all', () => tenancy.metadata());
    expect(sent).toMatchObject([
      { value: { 'fledge-tenant': 'acme' } },
      { value: { 'fledge-tenant': 'beta' } },
      { value: { 'fledge-tenant': 'gone' } },
    ]);
  });

  it.each<[given: unknown, message: string]>([
    ['17', `the string "17". Pass 'all' or a list of tenants: forEach(["17"], run).`],
    ['', 'the string "".'],
    [undefined, `undefined. Pass 'all' or a list of tenants: forEach(['acme'], run).`],
    [{ tenantId: 'acme' }, 'an object.'],
  ])('rejects forEach(%j) without a call', async (given, message) => {
    const { tenancy } = await boot();
    const seen: string[] = [];
    const run = tenancy.forEach(given as string[], ({ tenantId }) => seen.push(tenantId));
    await expect(run).rejects.toMatchObject({
      code: 'TENANT_INVALID_OPTION',
      message: expect.stringContaining(`forEach() received ${message}`),
    });
    expect(seen).toEqual([]);
  });

  it('binds listeners and callbacks to the current tenant', async () => {
    const { tenancy } = await boot();
    const events = new EventEmitter();
    const heard: (string | null)[] = [];
    const hear = () => void heard.push(tenancy.currentOrNull()?.tenantId ?? null);
    await tenancy.run('a', () => void events.on('bound', tenancy.bind(hear)));
    events.on('free', hear);
    const never = tenancy.bind(hear);
    await tenancy.run('b', () => {
      events.emit('bound');
      events.emit('free');
      never();
    });
    expect(heard).toEqual(['a', 'b', null]);
    const self = {
      name: 'it',
      greet: tenancy.bind(function (this: { name: string }) {
        return this.name;
      }),
    };
    expect(self.greet()).toBe('it');
  });

  it('passes the tenant in metadata, and checks it on arrival', async () => {
    const { tenancy } = await boot({ store });
    const metadata = await tenancy.run('acme', () => tenancy.metadata());
    expect(JSON.parse(JSON.stringify(metadata))).toEqual({
      'fledge-tenant': 'acme',
      'fledge-tenant-id': 't-1',
    });
    const read = () => tenancy.currentOrNull()?.tenantId ?? null;
    expect(await tenancy.runFrom(metadata, read)).toBe('t-1');
    expect(tenancy.metadata()).toEqual({});
    for (const nobody of [{}, null, undefined, { 'fledge-tenant': undefined }]) {
      expect(await tenancy.run('beta', () => tenancy.runFrom(nobody, read))).toBeNull();
    }
    for (const bad of [7, ['acme'], "a'b", 'nope']) {
      await expect(tenancy.runFrom({ 'fledge-tenant': bad }, read)).rejects.toMatchObject({
        code: expect.stringMatching(/^TENANT_(INVALID|UNKNOWN)$/),
      });
    }
  });

  it.each<[unknown, string]>([
    ['{"fledge-tenant":"acme"}', 'a string'],
    ['', 'a string'],
    [7, 'a number'],
    [new Map([['fledge-tenant', 'acme']]), 'an iterable'],
    [new Headers({ 'fledge-tenant': 'acme' }), 'an iterable'],
    [[['fledge-tenant', 'acme']], 'an iterable'],
  ])('rejects the metadata %p, which would hide the tenant', async (metadata, given) => {
    const { tenancy } = await boot();
    let ran = false;
    const run = tenancy.runFrom(metadata, () => void (ran = true));
    await expect(run).rejects.toMatchObject({
      code: 'TENANT_INVALID_OPTION',
      message: expect.stringContaining(`runFrom() received ${given}. Pass an object with`),
    });
    expect(ran).toBe(false);
  });

  it('names the support person if the metadata field is invalid', async () => {
    const { tenancy } = await boot();
    const metadata = { 'fledge-tenant': 'acme', 'fledge-impersonated-by': 'x\ny' };
    await expect(tenancy.runFrom(metadata, () => 1)).rejects.toMatchObject({
      code: 'TENANT_INVALID',
      message: 'The metadata field "fledge-impersonated-by" contains an invalid support person',
    });
  });

  it('refuses metadata whose identifier belongs to another tenant', async () => {
    let owner = 't-1';
    const { tenancy } = await boot({ store: () => ({ tenantId: owner }) });
    const metadata = await tenancy.run('acme', () => tenancy.metadata());
    owner = 't-9';
    tenancy.invalidate('t-1');
    let ran = false;
    const run = () => tenancy.runFrom(metadata, () => void (ran = true));
    await expect(run()).rejects.toMatchObject({ code: 'TENANT_MISMATCH' });
    expect(ran).toBe(false);
    owner = 't-1';
    tenancy.invalidate('t-9');
    await run();
    expect(ran).toBe(true);
    for (const bad of [7, null, ['t-1']]) {
      const forged = { ...metadata, 'fledge-tenant-id': bad };
      await expect(tenancy.runFrom(forged, run)).rejects.toMatchObject({ code: 'TENANT_INVALID' });
    }
    // Without an identifier nothing can be looked up.
    const { 'fledge-tenant-id': id } = metadata;
    const alone = tenancy.runFrom({ 'fledge-tenant-id': id }, run);
    await expect(alone).rejects.toMatchObject({ code: 'TENANT_INVALID' });
  });

  it('builds keys and paths below the tenant', async () => {
    const { tenancy } = await boot();
    await tenancy.run('a', () => {
      expect(tenancy.key('b:c')).toBe('a:b%3Ac');
      expect(tenancy.path('x', 'y.pdf')).toBe('a/x/y.pdf');
      expect(() => tenancy.path('../x')).toThrow(
        expect.objectContaining({ code: 'TENANT_UNSAFE_PATH' }),
      );
    });
    expect(() => tenancy.key('x')).toThrow(
      expect.objectContaining({ code: 'TENANT_CONTEXT_MISSING' }),
    );
    expect(() => tenancy.path('x')).toThrow(
      expect.objectContaining({ code: 'TENANT_CONTEXT_MISSING' }),
    );
  });

  it('fails at boot if a constructor reads the tenant', async () => {
    @Injectable()
    class Keeper {
      readonly id: string;
      constructor(@Inject(TENANT_CONTEXT) tenant: TenantContext) {
        this.id = tenant.tenantId;
      }
    }
    @Module({ imports: [TenantModule.forRoot({ strategy: 'header' })], providers: [Keeper] })
    class AppModule {}
    const booting = NestFactory.createApplicationContext(AppModule, {
      logger: false,
      abortOnError: false,
    });
    await expect(booting).rejects.toMatchObject({ code: 'TENANT_CONTEXT_MISSING' });
  });
});

describe.each(platforms)('tenancy in a request on $name', (platform) => {
  @Controller()
  class SwitchController {
    constructor(
      private readonly tenancy: Tenancy,
      private readonly ctx: RequestContext,
      private readonly reader: Reader,
    ) {}

    @Get('switch')
    async switch() {
      const before = this.reader.tenant.tenantId;
      const inside = await this.tenancy.run('other', () => ({
        tenant: this.reader.tenant.tenantId,
        path: this.ctx.url,
      }));
      return { before, inside, after: this.reader.tenant.tenantId };
    }
  }

  it('keeps the request inside a run, and its tenant after it', async () => {
    @Module({
      imports: [TenantModule.forRoot({ strategy: 'header' })],
      controllers: [SwitchController],
      providers: [Reader],
    })
    class AppModule {}
    const { url } = await serve(AppModule as Type, platform);
    const { body } = await call(`${url}/switch`, { headers: { 'x-tenant-id': 'acme' } });
    expect(body).toEqual({
      before: 'acme',
      inside: { tenant: 'other', path: '/switch' },
      after: 'acme',
    });
  });
});
