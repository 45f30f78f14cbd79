// What a reviewer broke once.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Inject, Injectable, Module, Post, type Type } from '@nestjs/common';
import {
  SameTenant,
  TENANT_CONTEXT,
  type TenantAdapterOptions,
  type TenantContext,
  Tenancy,
  TenantModule,
  UniversalRoute,
} from '@fledge/tenant';
import { connect } from 'node:net';
import { from, interval, map, mergeMap, range, take, toArray } from 'rxjs';
import { call, closeAll, platforms, post, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';

afterEach(closeAll);

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const of = (tenant: string) => ({ headers: { 'x-tenant-id': tenant } });
const disposed: string[] = [];
/** Requests that the slow route began. */
let begun = 0;
const MAILER = Symbol('MAILER');

const hasIteratorMethods = 'Iterator' in globalThis;
interface Mappable {
  map(change: (value: string) => string): Iterable<string>;
}

@Injectable()
class Reader {
  constructor(@Inject(TENANT_CONTEXT) readonly tenant: TenantContext) {}
}

@Controller()
class Routes {
  constructor(
    private readonly reader: Reader,
    private readonly tenancy: Tenancy,
  ) {}

  @Get('observed')
  observed() {
    const ticks = () =>
      interval(2).pipe(
        take(2),
        map(() => this.reader.tenant.tenantId),
      );
    return from(this.tenancy.run('b', ticks)).pipe(
      mergeMap((stream) => stream),
      map((made) => `${made} for ${this.reader.tenant.tenantId}`),
      toArray(),
    );
  }

  @Get('universal')
  @UniversalRoute()
  universal() {
    return { tenantId: this.tenancy.currentOrNull()?.tenantId ?? null };
  }

  @Get('slow')
  async slow() {
    begun += 1;
    await later(150);
    return {};
  }

  @Post('same')
  @SameTenant('headers.X-Org', 'body.tenantId')
  same(@Body() _: object) {
    return {};
  }
}

const store: TenantAdapterOptions['store'] = (identifier) => {
  if (identifier === 'down') throw new Error('no database');
  if (identifier === 'gone') return null;
  return { tenantId: identifier, status: identifier === 'susp' ? 'suspended' : 'active' };
};

describe.each(platforms)('on $name', (platform) => {
  const boot = (options: Partial<TenantAdapterOptions> = {}) => {
    @Module({
      imports: [
        TenantModule.forRoot({ strategy: 'header', ...options }),
        TenantModule.forFeature([
          {
            provide: MAILER,
            useFactory: ({ tenantId }) => ({ tenantId }),
            dispose: (_, { tenantId }) => void disposed.push(tenantId),
          },
        ]),
      ],
      controllers: [Routes],
      providers: [Reader],
    })
    class AppModule {}
    return serve(AppModule as Type, platform);
  };

  it("a subscriber gets values of another tenant's Observable in its own scope", async () => {
    const { url } = await boot();
    const { body } = await call(`${url}/observed`, of('a'));
    expect(body).toEqual(['b for a', 'b for a']);
  });

  it.each([
    ['down', 503],
    ['susp', 403],
    ['gone', 404],
    ['../x', 400],
    ['a', 200],
    ['', 200],
  ])('a universal route answers tenant "%s" with %i', async (tenant, status) => {
    const { url } = await boot({ store });
    expect((await call(`${url}/universal`, of(tenant))).status).toBe(status);
  });

  it('a hook that rejects does not fail the request', async () => {
    const fail = () => Promise.reject(new Error('audit is down'));
    const hooks = { rejected: fail, resolved: fail, central: fail } as object;
    const { url, app } = await boot({ hooks });
    expect((await call(`${url}/slow`)).status).toBe(400);
    expect((await call(`${url}/slow`, of('a'))).status).toBe(200);
    expect(await app.get(Tenancy).runCentral('report', () => 1)).toBe(1);
    await later(5);
  });

  it('@SameTenant reads lists, and headers case-insensitively', async () => {
    const { url } = await boot();
    const send = (body: unknown, headers = {}) =>
      call(`${url}/same`, {
        ...post(body),
        headers: { 'content-type': 'application/json', 'x-tenant-id': 'a', ...headers },
      });
    expect((await send([{ tenantId: 'a' }, { tenantId: 'b' }])).status).toBe(403);
    expect((await send([{ tenantId: 'a' }])).status).toBe(201);
    expect((await send({}, { 'x-org': 'b' })).status).toBe(403);
    expect((await send({}, { 'x-org': 'a' })).status).toBe(201);
  });

  it('releases what pipelined requests held when their socket closes', async () => {
    const { url, app } = await boot();
    begun = disposed.length = 0;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const request = (tenant: string) =>
      `GET /slow HTTP/1.1\r\nhost: x\r\nx-tenant-id: ${tenant}\r\n\r\n`;
    socket.write(request('one') + request('two'));
    await until(() => begun === 2, 'both requests');
    socket.destroy();
    app.get(Tenancy).invalidate('one');
    app.get(Tenancy).invalidate('two');
    await until(() => disposed.length === 2, 'both instances');
    expect(disposed.toSorted()).toEqual(['one', 'two']);
  });

  it('releases what a generator held that throws at once', async () => {
    const { app } = await boot();
    const tenancy = app.get(Tenancy);
    const generator = await tenancy.run('three', function* () {
      yield JSON.parse('no') as number;
    });
    expect(() => generator.next()).toThrow(SyntaxError);
    disposed.length = 0;
    tenancy.invalidate('three');
    await until(() => disposed.length > 0, 'the instance');
    expect(disposed).toEqual(['three']);
  });

  // Methods of iterators exist since Node.js 22.
  (hasIteratorMethods ? it : it.skip)('runs methods of iterators in the scope', async () => {
    const { app } = await boot();
    const tenancy = app.get(Tenancy);
    const generator = await tenancy.run('three', function* () {
      yield tenancy.current().tenantId;
    });
    const mapped = (generator as unknown as Mappable).map((tenant) => `of ${tenant}`);
    expect([...mapped]).toEqual(['of three']);
    disposed.length = 0;
    tenancy.invalidate('three');
    await until(() => disposed.length > 0, 'the instance');
    expect(disposed).toEqual(['three']);
  });

  it('keeps the instance of a cursor while another iterator of the cursor ends', async () => {
    const { app } = await boot();
    const tenancy = app.get(Tenancy);
    const cursor = await tenancy.run('five', () =>
      Object.assign(
        (function* () {
          yield 1;
          yield 2;
        })(),
        { names: () => ['name'].values() },
      ),
    );
    expect(cursor.next().value).toBe(1);
    disposed.length = 0;
    tenancy.invalidate('five');
    expect([...cursor.names()]).toEqual(['name']);
    await later(5);
    expect(disposed).toEqual([]);
    expect([...cursor]).toEqual([2]);
    await until(() => disposed.length > 0, 'the instance');
  });

  it('keeps the other methods of a cursor, and runs them in the scope', async () => {
    const { app } = await boot();
    const tenancy = app.get(Tenancy);
    class Cursor {
      readonly #rows = [1, 2];
      limited = false;
      limit() {
        this.limited = true;
        return this;
      }
      next() {
        const value = this.#rows.shift();
        return Promise.resolve({ done: value === undefined, value });
      }
      [Symbol.asyncIterator]() {
        return this;
      }
      toArray() {
        return Promise.resolve([...this.#rows.splice(0), tenancy.current().tenantId]);
      }
    }
    const cursor = await tenancy.run('a', () => new Cursor());
    expect(cursor).toBeInstanceOf(Cursor);
    expect(await cursor.limit().toArray()).toEqual([1, 2, 'a']);
    expect(cursor.limited).toBe(true);
  });

  it('ends a source that emits synchronously', async () => {
    const { app } = await boot();
    const stream = await app.get(Tenancy).run('a', () => range(0, 1e9));
    const taken: number[] = [];
    stream.pipe(take(2)).subscribe((value) => taken.push(value));
    expect(taken).toEqual([0, 1]);
  });

  it.each([[7], [{ id: 'acme' }], [undefined], [null], [{ tenantId: '' }]])(
    'runs for no tenant that is %j',
    async (tenant) => {
      const { app } = await boot();
      let ran = false;
      const running = app.get(Tenancy).run(tenant as never, () => (ran = true));
      await expect(running).rejects.toMatchObject({ code: 'TENANT_INVALID_OPTION' });
      expect(ran).toBe(false);
    },
  );

  it.each([[7], [new Set(['a'])], [Promise.resolve(7)]])(
    'refuses the request where verify.principal says %p',
    async (principal) => {
      const { url } = await boot({ verify: { principal: () => principal as never } });
      expect((await call(`${url}/slow`, of('a'))).status).toBe(500);
    },
  );

  it.each([
    [() => TenantModule.forRoot(undefined as never), /no options.*forRoot\(\{ strategy/],
    [() => TenantModule.forRoot({ strategy: 'header', verfy: {} } as never), /verfy/],
    [() => TenantModule.forRoot({ strategy: 'header', header: 5 } as never), /header \}\) is 5,/],
    [
      () =>
        TenantModule.forRoot({ strategy: 'subdomain', subdomain: { baseDomains: 'x.y' } } as never),
      /subdomain\.baseDomains.*list/,
    ],
  ])('does not boot with options that cannot work (%#)', async (module, message) => {
    const booting = Promise.resolve().then(() => {
      @Module({ imports: [module()] })
      class AppModule {}
      return serve(AppModule as Type, platform);
    });
    await expect(booting).rejects.toMatchObject({
      code: 'TENANT_INVALID_OPTION',
      message: expect.stringMatching(message),
    });
  });

  it('does not boot if it is imported twice', async () => {
    @Module({
      imports: [
        TenantModule.forRoot({ strategy: 'header' }),
        TenantModule.forRoot({ strategy: 'query' }),
      ],
    })
    class AppModule {}
    await expect(serve(AppModule as Type, platform)).rejects.toThrow(/imported twice/);
  });
});

it.each([[undefined], [[{ provide: 'X', useClass: Reader }]]])(
  'forFeature(%j) says what is wrong',
  (given) => {
    expect(() => TenantModule.forFeature(given as never)).toThrow(/useFactory/);
  },
);
