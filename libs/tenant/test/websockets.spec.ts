// Real clients of ws and of socket.io, against gateways on both platforms.
import {
  TENANT_CONTEXT,
  Tenancy,
  type TenantAdapterOptions,
  type TenantContext,
  TenantModule,
} from '@fledge/tenant';
import {
  TenantSocketVerifyInterceptor,
  TenantSocketsModule,
  type TenantSocketsOptions,
} from '@fledge/tenant/websockets';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  type CanActivate,
  Catch,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
  Inject,
  Injectable,
  Module,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  type Type,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import {
  MessageBody,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import { ClsGuard, ClsInterceptor, ClsModule } from 'nestjs-cls';
import { concatMap, from, map, type Observable, take, tap, timer } from 'rxjs';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { type Client, connectIo, type ConnectOptions, kinds } from './websockets/clients.js';

const pause = (ms = Math.random() * 5) => new Promise((resolve) => setTimeout(resolve, ms));
/** What every part of the application saw: `connect a`, `guard a` ... */
let seen: string[] = [];
let made = 0;

@Injectable()
class Witness {
  constructor(
    @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
    private readonly tenancy: Tenancy,
  ) {
    made += 1;
  }

  get tenantId(): string | null {
    return this.tenancy.currentOrNull() === null ? null : this.tenant.tenantId;
  }

  see(what: string): void {
    seen.push(`${what} ${this.tenantId}`);
  }
}

@Injectable()
class Watch implements CanActivate, NestInterceptor, PipeTransform {
  constructor(private readonly witness: Witness) {}

  async canActivate(): Promise<boolean> {
    await pause(1);
    this.witness.see('guard');
    return true;
  }

  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.witness.see('before');
    return next.handle().pipe(tap(() => this.witness.see('after')));
  }

  transform(value: unknown): unknown {
    this.witness.see('pipe');
    return value;
  }
}

@Catch()
@Injectable()
class Watcher implements ExceptionFilter {
  constructor(private readonly witness: Witness) {}

  catch(): void {
    this.witness.see('filter');
  }
}

type Message = { id: unknown };

@WebSocketGateway({ path: '/live' })
class LiveGateway implements OnGatewayConnection, OnGatewayDisconnect {
  constructor(private readonly witness: Witness) {}

  async handleConnection(): Promise<void> {
    this.witness.see('connect');
    await pause(1);
    this.witness.see('connected');
  }

  handleDisconnect(): void {
    this.witness.see('disconnect');
  }

  @SubscribeMessage('who')
  async who(@MessageBody() { id }: Message) {
    const before = this.witness.tenantId;
    await pause();
    await new Promise((resolve) => setImmediate(resolve));
    return { event: 'who', data: { id, tenants: [before, this.witness.tenantId] } };
  }

  @UseGuards(Watch)
  @UseInterceptors(Watch)
  @UsePipes(Watch)
  @SubscribeMessage('watched')
  watched(@MessageBody() { id }: Message) {
    return { event: 'watched', data: { id } };
  }

  @UseFilters(Watcher)
  @SubscribeMessage('fails')
  async fails(): Promise<never> {
    await pause(1);
    throw new Error('No');
  }

  @SubscribeMessage('counts')
  counts(@MessageBody() { id }: Message) {
    const tenant = () => this.witness.tenantId;
    return timer(1, 2).pipe(
      take(3),
      concatMap(async (i) => {
        await pause(1);
        return { event: 'counts', data: { id, i, tenant: tenant() } };
      }),
    );
  }

  @SubscribeMessage('generates')
  generates(@MessageBody() { id }: Message) {
    const { witness } = this;
    async function* tenants() {
      for (let i = 0; i < 3; i += 1) {
        await pause(1);
        yield witness.tenantId;
      }
    }
    return from(tenants()).pipe(map((tenant) => ({ event: 'generates', data: { id, tenant } })));
  }

  @UseGuards(ClsGuard)
  @UseInterceptors(ClsInterceptor)
  @SubscribeMessage('cls')
  async cls(@MessageBody() { id }: Message) {
    await pause(1);
    return { event: 'cls', data: { id, tenant: this.witness.tenantId } };
  }
}

/** A second gateway of the same server. */
@WebSocketGateway({ path: '/live' })
class OtherGateway implements OnGatewayConnection {
  constructor(private readonly witness: Witness) {}

  handleConnection(): void {
    this.witness.see('other connect');
  }

  @SubscribeMessage('other')
  other(@MessageBody() { id }: Message) {
    return { event: 'other', data: { id, tenant: this.witness.tenantId } };
  }
}

interface AppOptions extends Partial<TenantAdapterOptions> {
  readonly sockets?: TenantSocketsOptions;
  readonly providers?: Provider[];
  readonly imports?: DynamicModule[];
}

function appOf({ sockets, providers, imports = [], ...tenant }: AppOptions): Type {
  @Module({
    imports: [
      ClsModule.forRoot({}),
      TenantModule.forRoot({ strategy: 'header', ...tenant }),
      sockets ? TenantSocketsModule.forRoot(sockets) : TenantSocketsModule,
      ...imports,
    ],
    providers: providers ?? [Witness, Watch, Watcher, LiveGateway, OtherGateway],
  })
  class AppModule {}
  return AppModule;
}

const everyKind = platforms.flatMap((platform) =>
  kinds.map((kind) => ({ title: `${kind.name} on ${platform.name}`, platform, kind })),
);

describe.each(everyKind)('gateways with $title', ({ platform, kind }) => {
  const clients: Client[] = [];
  let url: string;

  const start = async (options: AppOptions = {}) => {
    seen = [];
    made = 0;
    const served = await serve(appOf(options), platform, (app) => {
      if (kind.adapter) app.useWebSocketAdapter(kind.adapter(app));
    });
    url = served.url;
    return served.app;
  };
  const connect = async (options?: ConnectOptions) => {
    const client = await kind.connect(url, options);
    clients.push(client);
    return client;
  };
  const of = (tenant: string, first?: ConnectOptions['first']) =>
    connect({ headers: { 'x-tenant-id': tenant }, ...(first && { first }) });

  afterEach(async () => {
    clients.splice(0).forEach((client) => client.close());
    await closeAll();
  });

  it('run everything a client causes for its tenant', async () => {
    await start();
    const client = await of('a');
    expect(await client.ask('watched', {})).toHaveLength(1);
    client.send('fails', {});
    await until(() => seen.includes('filter a'), 'the filter');
    client.close();
    await until(() => seen.includes('disconnect a'), 'the end');
    expect(seen.filter((line) => !line.endsWith(' a'))).toEqual([]);
    expect([...new Set(seen.map((line) => line.slice(0, -2)))].sort()).toEqual(
      'after,before,connect,connected,disconnect,filter,guard,other connect,pipe'.split(','),
    );
    expect(made).toBe(1);
  });

  it('do not mix up 100 interleaved messages of 10 clients of 5 tenants', async () => {
    await start();
    const tenants = ['a', 'b', 'c', 'd', 'e', 'a', 'b', 'c', 'd', 'e'];
    const open = await Promise.all(tenants.map((tenant) => of(tenant)));
    const asked = Array.from({ length: 100 }, (_, i) => i % 10);
    const answers = await Promise.all(
      asked.map(async (i) => {
        await pause();
        const [answer] = await open[i]!.ask('who', {});
        return { want: tenants[i], got: (answer as { tenants: unknown[] }).tenants };
      }),
    );
    expect(answers.filter(({ want, got }) => got.some((tenant) => tenant !== want))).toEqual([]);
    expect(answers).toHaveLength(100);
  });

  it('keep the tenant in what their handlers return', async () => {
    await start();
    const [a, b] = await Promise.all([of('a'), of('b')]);
    const [counted, generated, others] = await Promise.all([
      a.ask('counts', {}, 3),
      b.ask('generates', {}, 3),
      b.ask('counts', {}, 3),
    ]);
    expect(counted).toMatchObject([{ tenant: 'a' }, { tenant: 'a' }, { tenant: 'a' }]);
    expect(generated).toMatchObject([{ tenant: 'b' }, { tenant: 'b' }, { tenant: 'b' }]);
    expect(others).toMatchObject([{ tenant: 'b' }, { tenant: 'b' }, { tenant: 'b' }]);
  });

  it('see the tenant behind ClsGuard and ClsInterceptor', async () => {
    await start();
    const [a, b] = await Promise.all([of('a'), of('b')]);
    for (const [client, tenant] of [
      [a, 'a'],
      [b, 'b'],
      [a, 'a'],
    ] as const) {
      expect(await client.ask('cls', {})).toMatchObject([{ tenant }]);
    }
  });

  it('keep messages that arrive during the lookup, and accept a client once', async () => {
    const looksUp = async (tenantId: string) => {
      await pause(tenantId === 'slow' ? 60 : 30);
      return { tenantId };
    };
    await start({ store: looksUp });
    const early = { event: 'watched', data: { id: 0 } };
    await Promise.all([of('slow', early), of('quick', early), of('slow', early)]);
    await until(() => seen.filter((line) => line.startsWith('after')).length === 3, 'the answers');
    expect(seen.filter((line) => line.includes('connect ')).sort()).toEqual([
      ...['connect quick', 'connect slow', 'connect slow'],
      ...['other connect quick', 'other connect slow', 'other connect slow'],
    ]);
    const at = (line: string) => seen.indexOf(line);
    expect(at('connect slow')).toBeLessThan(at('guard slow'));
    expect(seen.filter((line) => line.startsWith('guard')).sort()).toEqual([
      'guard quick',
      'guard slow',
      'guard slow',
    ]);
  });

  it('are not called for a client that disconnected during the lookup', async () => {
    let answer: (() => void) | undefined;
    await start({
      store: async (tenantId) => {
        if (tenantId === 'slow') await new Promise<void>((resolve) => (answer = resolve));
        return { tenantId };
      },
    });
    const client = await of('slow');
    client.close();
    await pause(50);
    answer!();
    await pause(50);
    const heard = seen.filter((line) => line.endsWith('slow') && !line.startsWith('other'));
    expect(heard.filter((line) => line.startsWith('connect ')).length).toBe(
      heard.filter((line) => line.startsWith('disconnect')).length,
    );
  });

  const closes = (client: Client, wanted: string, exception: object) =>
    kind.name === 'ws'
      ? expect(client.closed).resolves.toBe(wanted)
      : client.closed.then(() => expect(client.exceptions).toEqual([exception]));

  it.each([
    ['none', {}, '1008 TENANT_NOT_RESOLVED', 'Tenant could not be resolved'],
    [
      'suspended',
      { 'x-tenant-id': 'suspended' },
      '1008 TENANT_SUSPENDED',
      'The tenant is suspended',
    ],
    ['unknown', { 'x-tenant-id': 'unknown' }, '1008 TENANT_UNKNOWN', 'There is no such tenant'],
    [
      'maintenance',
      { 'x-tenant-id': 'maintenance' },
      '1013 TENANT_MAINTENANCE',
      expect.any(String),
    ],
    ['invalid', { 'x-tenant-id': "a'b" }, '1008 TENANT_INVALID', expect.any(String)],
    ['outage', { 'x-tenant-id': 'outage' }, '1013 TENANT_STORE_UNAVAILABLE', expect.any(String)],
  ])('refuse a client at connect: %s', async (_, headers, wanted, message) => {
    await start({
      store: async (tenantId) => {
        await pause(1);
        if (tenantId === 'unknown') return null;
        if (tenantId === 'outage') throw new Error('down');
        return { tenantId, status: tenantId as 'suspended' | 'maintenance' };
      },
    });
    const client = await connect({
      headers: { ...headers },
      first: { event: 'watched', data: {} },
    });
    await closes(client, wanted, { status: 'error', code: wanted.slice(5), message });
    await pause(20);
    expect(seen).toEqual([]);
  });

  it('hide which tenants exist with opaque errors', async () => {
    const rejected: unknown[] = [];
    await start({
      store: (tenantId) => ({ tenantId, status: 'suspended' }),
      errors: { opaque: true },
      hooks: { rejected: (error, req) => rejected.push(error, req.headers['x-tenant-id']) },
    });
    const client = await of('a');
    const message = 'There is no such tenant';
    await closes(client, '1008 TENANT_UNKNOWN', {
      status: 'error',
      code: 'TENANT_UNKNOWN',
      message,
    });
    expect(rejected).toEqual([expect.objectContaining({ code: 'TENANT_SUSPENDED' }), 'a']);
  });

  it('close the sockets of a tenant that is suspended, at the next message', async () => {
    let status: 'active' | 'suspended' = 'active';
    const app = await start({ store: (tenantId) => ({ tenantId, status }) });
    const client = await of('a');
    expect(await client.ask('who', {})).toMatchObject([{ tenants: ['a', 'a'] }]);
    status = 'suspended';
    app.get(Tenancy).invalidate('a');
    client.send('watched', {});
    const exception = { status: 'error', code: 'TENANT_SUSPENDED', message: expect.any(String) };
    await closes(client, '1008 TENANT_SUSPENDED', exception);
    await until(() => seen.includes('disconnect a'), 'the end');
    expect(seen.filter((line) => line.startsWith('guard'))).toEqual([]);
  });

  it('close sockets whose identifier belongs to another tenant', async () => {
    let owner = 'first';
    const app = await start({ store: () => ({ tenantId: owner }) });
    const client = await of('shop');
    expect(await client.ask('who', {})).toMatchObject([{ tenants: ['first', 'first'] }]);
    owner = 'second';
    app.get(Tenancy).invalidate('first');
    client.send('watched', {});
    const exception = { status: 'error', code: 'TENANT_MISMATCH', message: expect.any(String) };
    await closes(client, '1008 TENANT_MISMATCH', exception);
    expect(seen.filter((line) => line.startsWith('guard'))).toEqual([]);
    const next = await of('shop');
    expect(await next.ask('who', {})).toMatchObject([{ tenants: ['second', 'second'] }]);
  });

  it('refuse a message but keep its socket while the store fails', async () => {
    let isDown = false;
    const app = await start({
      store: (tenantId) => {
        if (isDown) throw new Error('down');
        return { tenantId };
      },
    });
    const client = await of('a');
    isDown = true;
    app.get(Tenancy).invalidate('a');
    client.send('who', {});
    await until(() => client.exceptions.length === 1, 'the exception');
    expect(client.exceptions).toMatchObject([{ code: 'TENANT_STORE_UNAVAILABLE' }]);
    isDown = false;
    expect(await client.ask('who', {})).toMatchObject([{ tenants: ['a', 'a'] }]);
  });

  it.each([
    ['the module', { mode: 'universal' }],
    ['the sockets', { sockets: { mode: 'universal' } }],
  ] as const)('let anybody in where the mode of %s is universal', async (_, options) => {
    await start(options);
    const [nobody, a] = await Promise.all([connect(), of('a')]);
    expect(await a.ask('who', {})).toMatchObject([{ tenants: ['a', 'a'] }]);
    expect(await nobody.ask('who', {})).toMatchObject([{ tenants: [null, null] }]);
  });

  it('ignore the handshake in mode central', async () => {
    await start({ sockets: { mode: 'central' } });
    expect(await (await of('a')).ask('who', {})).toMatchObject([{ tenants: [null, null] }]);
  });

  it.each([
    ['query', { strategy: 'query' }, { query: '?tenant=a' }],
    ['subdomain', { strategy: 'subdomain' }, { headers: { host: 'a.example.com' } }],
    [
      'a function',
      { strategy: (req: { headers: { cookie?: string } }) => req.headers.cookie?.slice(7) },
      { headers: { cookie: 'tenant=a' } },
    ],
  ] as const)('find the tenant by %s', async (_, tenant, options) => {
    await start(tenant as AppOptions);
    expect(await (await connect(options)).ask('who', {})).toMatchObject([{ tenants: ['a', 'a'] }]);
  });

  it.each([
    ['refusal', new UnauthorizedException('No token'), '1008 No token', 'No token'],
    ['accident', new Error('secret'), '1011 Internal server error', 'Internal server error'],
  ])('send the %s of a resolver to the client', async (_, error, wanted, message) => {
    await start({
      strategy: () => {
        throw error;
      },
    });
    await closes(await connect(), wanted, { status: 'error', message });
  });

  it('have per-tenant instances ready at connect', async () => {
    const TOKEN = Symbol('greeting');

    @WebSocketGateway({ path: '/live' })
    class GreetingGateway implements OnGatewayConnection {
      constructor(@Inject(TOKEN) private readonly greeting: { text: string }) {}

      handleConnection(): void {
        seen.push(`connect ${this.greeting.text}`);
      }

      @SubscribeMessage('greet')
      greet(@MessageBody() { id }: Message) {
        return { event: 'greet', data: { id, text: this.greeting.text } };
      }
    }

    const feature = TenantModule.forFeature([
      {
        provide: TOKEN,
        useFactory: async ({ tenantId }: TenantContext) => {
          await pause(20);
          if (tenantId === 'broken') throw new Error('secret');
          return { text: `hello ${tenantId}` };
        },
      },
    ]);
    @Module({
      imports: [TenantModule.forRoot({ strategy: 'header' }), TenantSocketsModule, feature],
      providers: [GreetingGateway],
    })
    class AppModule {}
    seen = [];
    ({ url } = await serve(AppModule, platform, (app) => {
      if (kind.adapter) app.useWebSocketAdapter(kind.adapter(app));
    }));
    const [a, b] = await Promise.all([of('a'), of('b')]);
    expect(await a.ask('greet', {})).toMatchObject([{ text: 'hello a' }]);
    expect(await b.ask('greet', {})).toMatchObject([{ text: 'hello b' }]);
    expect(seen.sort()).toEqual(['connect hello a', 'connect hello b']);
    const exception = { status: 'error', message: 'Internal server error' };
    await closes(await of('broken'), '1011 Internal server error', exception);
  });

  it('refuse a message but keep its socket while a resource of the tenant fails', async () => {
    const TOKEN = Symbol('resource');
    let isDown = false;
    const feature = TenantModule.forFeature([
      {
        provide: TOKEN,
        useFactory: () => {
          if (isDown) throw new Error('secret');
          return {};
        },
      },
    ]);
    const app = await start({ imports: [feature] });
    const client = await of('a');
    expect(await client.ask('who', {})).toMatchObject([{ tenants: ['a', 'a'] }]);
    isDown = true;
    app.get(Tenancy).invalidate('a');
    client.send('who', {});
    await until(() => client.exceptions.length === 1, 'the exception');
    expect(client.exceptions).toEqual([{ status: 'error', message: 'Internal server error' }]);
    isDown = false;
    expect(await client.ask('who', {})).toMatchObject([{ tenants: ['a', 'a'] }]);
  });

  it('are not called for a client that left before its resources were ready', async () => {
    const TOKEN = Symbol('resource');
    let isCreating = false;
    let create: (() => void) | undefined;
    const useFactory = async () => {
      isCreating = true;
      await new Promise<void>((resolve) => (create = resolve));
      return {};
    };
    await start({ imports: [TenantModule.forFeature([{ provide: TOKEN, useFactory }])] });
    const client = await of('a');
    await until(() => isCreating, 'the factory');
    client.drop();
    await pause(50);
    create!();
    await pause(50);
    expect(seen).toEqual([]);
  });

  it('verify the tenant with the user of a guard', async () => {
    class TokenGuard implements CanActivate {
      canActivate(execution: ExecutionContext): boolean {
        const ws = execution.switchToWs();
        const { user } = ws.getData<{ user?: string }>();
        if (user) ws.getClient<{ user?: unknown }>().user = { tenants: user.split(',') };
        return true;
      }
    }

    @UseGuards(TokenGuard)
    @UseInterceptors(TenantSocketVerifyInterceptor)
    @WebSocketGateway({ path: '/live' })
    class SafeGateway {
      @SubscribeMessage('safe')
      safe(@MessageBody() { id }: Message) {
        seen.push('safe');
        return { event: 'safe', data: { id } };
      }
    }

    const refusal = { status: 'error', code: 'TENANT_MISMATCH', message: expect.any(String) };
    const principal = (req: { user?: unknown }) =>
      (req.user as { tenants: string[] } | undefined)?.tenants;
    for (const each of [principal, (req: object) => Promise.resolve(principal(req))]) {
      seen.length = 0;
      await start({ providers: [SafeGateway], verify: { principal: each, required: true } });
      const client = await of('a');
      for (const user of ['', 'b', 'b,c']) client.send('safe', { user });
      await until(() => client.exceptions.length === 3, 'three refusals');
      expect(client.exceptions).toEqual([refusal, refusal, refusal]);
      expect(seen).toEqual([]);
      expect(await client.ask('safe', { user: 'b,a' })).toHaveLength(1);
      await closeAll();
    }

    await start({
      providers: [SafeGateway],
      verify: { principal: ({ user }) => (user === undefined ? null : []), required: false },
    });
    const other = await of('a');
    expect(await other.ask('safe', {})).toHaveLength(1);
    other.send('safe', { user: 'without tenants' });
    await until(() => other.exceptions.length === 1, 'the refusal of a user without tenants');
    expect(other.exceptions).toEqual([refusal]);
  });
});

describe('namespaces of socket.io', () => {
  @WebSocketGateway({ path: '/live', namespace: 'chat' })
  class ChatGateway {
    constructor(private readonly witness: Witness) {}

    @SubscribeMessage('who')
    who(@MessageBody() { id }: Message) {
      return { event: 'who', data: { id, tenant: this.witness.tenantId } };
    }
  }

  it('run for the tenant of the handshake', async () => {
    const [platform] = platforms;
    const { url } = await serve(appOf({ providers: [Witness, ChatGateway] }), platform!);
    const headers = (tenant: string) => ({
      headers: { 'x-tenant-id': tenant },
      namespace: '/chat',
    });
    const clients = await Promise.all(['a', 'b'].map((it) => connectIo(url, headers(it))));
    const answers = await Promise.all(clients.map((client) => client.ask('who', {})));
    expect(answers).toMatchObject([[{ tenant: 'a' }], [{ tenant: 'b' }]]);
    clients.forEach((client) => client.close());
    await closeAll();
  });
});
