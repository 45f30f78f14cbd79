// An application on NestJS 11 that uses Fledge. test/packed/nest11.spec.ts runs it and reads what
// its clients received from its output.
import 'reflect-metadata';
import { AsyncResource } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import {
  Body,
  Controller,
  Get,
  Inject,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Param,
  Post,
  Query,
  QueryMethod,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientProviderOptions,
  type ClientProxy,
  ClientsModule,
  MessagePattern,
} from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ClsModule, ClsService } from 'nestjs-cls';
import { Pool } from 'pg';
import { catchError, firstValueFrom, of } from 'rxjs';
import { ContextModule, defineHttpContextDecorator, FromContext } from '@fledge/core';
import { McpModule, McpTool } from '@fledge/mcp';
import type { ParsedQuery } from '@fledge/query';
import { Paginate, type Paginator, Qs, QueryModule } from '@fledge/query/nest';
import {
  TENANT_CONTEXT,
  Tenancy,
  type TenantContext,
  TenantModule,
  TenantNotResolvedError,
} from '@fledge/tenant';
import {
  singleConnectionLedger,
  TenantLifecycle,
  TenantLifecycleModule,
} from '@fledge/tenant/lifecycle';
import { TenantMicroservicesModule } from '@fledge/tenant/microservices';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** Unique to this run, because other runs use the same brokers. */
const WHOSE = `whose-${process.pid}`;

const TASKS = { filterable: ['status'], sortable: [] } as const;

const LoadUser = defineHttpContextDecorator({
  key: 'user',
  resolve: (ctx) => `user ${String(ctx.headers['x-user'])}`,
});

@Controller('tasks')
class TasksController {
  constructor(
    @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
    @Inject(ClsService) private readonly cls: ClsService,
  ) {}

  @Get()
  @McpTool({ name: 'list', description: 'Lists tasks' })
  list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator) {
    const { limit, total } = paginate({ data: [], total: 0 }).meta;
    return { filters: query.filters, isRaw: 'secret' in query, limit, total };
  }

  @QueryMethod()
  @McpTool({ name: 'search', description: 'Lists tasks by HTTP QUERY' })
  search(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return query.filters;
  }

  @Get(':id')
  @McpTool({ name: 'one', description: 'Reads a task' })
  @LoadUser
  one(@Param('id') id: string, @FromContext('user') user: string) {
    const ofMiddleware = this.cls.get<string>('ofMiddleware');
    return { id, user, tenant: this.tenant.tenantId, ofMiddleware };
  }

  @MessagePattern(WHOSE)
  whose() {
    return this.tenant.tenantId;
  }
}

/** The message transports by name, as passed by test/packed/nest11.spec.ts. */
const WAYS = JSON.parse(process.argv[3] ?? '') as ClientProviderOptions[];

/** The tenants that were migrated. */
const migrated: string[] = [];

/** A single connection. Its tables are dropped when it closes. */
const connection = new Pool({
  connectionString: process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test',
  options: '-c search_path=pg_temp',
  max: 1,
  idleTimeoutMillis: 0,
  allowExitOnIdle: true,
});

/**
 * The context in which middleware calls back: that of the first request. Drivers do the same if the
 * first request opened their connection.
 */
let opened: AsyncResource | undefined;

@Module({
  imports: [
    TenantMicroservicesModule,
    ClientsModule.register(WAYS),
    // The guard creates a store if the request has none yet.
    ClsModule.forRoot({ global: true, guard: { mount: true } }),
    QueryModule.forRoot({ maxLimit: 40 }),
    TenantModule.forRoot({
      strategy: 'header',
      store: { find: (tenantId) => ({ tenantId }), list: () => [{ tenantId: 'acme' }] },
    }),
    TenantLifecycleModule.forRoot({
      ledger: singleConnectionLedger(connection),
      tenant: { migrate: ({ tenantId }: TenantContext) => void migrated.push(tenantId) },
    }),
    McpModule.forRoot({ name: 'nest11', forwardHeaders: ['x-tenant-id', 'x-user'] }),
  ],
  controllers: [TasksController],
})
class AppModule implements NestModule {
  constructor(@Inject(ClsService) private readonly cls: ClsService) {}

  configure(consumer: MiddlewareConsumer) {
    consumer
      .apply((_req: unknown, _res: unknown, next: () => void) => {
        this.cls.set('ofMiddleware', 'kept');
        const shared = (opened ??= new AsyncResource('SharedConnection'));
        setImmediate(() => shared.runInAsyncScope(next));
      })
      .forRoutes(TasksController);
  }
}

/** Options that Nest 11 ignores. It has no types for them. */
const schema = { schema: {} } as never;

@Controller()
class BodyController {
  @Post()
  create(@Body(schema) body: unknown) {
    return body;
  }
}

@Controller()
class NamedController {
  @Get()
  find(@Param('id') _id: string, @Query('page', schema) page: unknown) {
    return page;
  }
}

const adapterOf = () =>
  process.argv[2] === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();

async function answers(): Promise<object> {
  const app = await NestFactory.create(AppModule, adapterOf(), {
    logger: false,
    abortOnError: false,
  });
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  for (const way of WAYS) app.connectMicroservice(way, { inheritAppConfig: true });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const headers = { 'x-tenant-id': 'acme', 'x-user': 'ann' };
  const get = async (path: string) => (await fetch(url + path, { headers })).json();
  await fetch(`${url}/tasks`, { headers: { ...headers, 'x-tenant-id': 'other' } });
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/_mcp/messages`), {
    requestInit: { headers },
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const error = new TenantNotResolvedError();
  const list = tools.find(({ name }) => name === 'list');
  const said = {
    allowed: await get('/tasks?filter=status:eq:open&limit=1000&secret=1'),
    queried: await (
      await fetch(`${url}/tasks`, {
        method: 'QUERY',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"filter":["status:eq:open"]}',
      })
    ).json(),
    searched: await client.callTool({
      name: 'search',
      arguments: { filter: ['status:eq:open'] },
    }),
    refused: await get('/tasks?filter=hidden:eq:1'),
    one: await get('/tasks/7'),
    messages: await Promise.all(
      WAYS.map(async ({ name }) => [
        name,
        await app.get(Tenancy).run('acme', () => answerTo(app.get(name))),
        await answerTo(app.get(name)),
      ]),
    ),
    lifecycle: [(await app.get(TenantLifecycle).migrate()).ok, migrated],
    // Older versions of HttpException have no `errorCode`.
    codes: [error.code, Reflect.get(error, 'errorCode') ?? null],
    input: Object.keys(list?.inputSchema.properties ?? {}),
    call: await client.callTool({ name: 'one', arguments: { id: '8' } }),
  };
  await client.close();
  await app.close();
  return said;
}

/** Returns the tenant for which a message was handled, or the code of the rejection. */
const answerTo = (client: ClientProxy): Promise<string | undefined> =>
  firstValueFrom(
    client.send<string>(WHOSE, {}).pipe(catchError(({ code }: { code?: string }) => of(code))),
  );

async function bootOf(controller: new () => object): Promise<string> {
  @Module({ imports: [ContextModule], controllers: [controller] })
  class IgnoringModule {}
  try {
    const options = { logger: false, abortOnError: false } as const;
    const app = await NestFactory.create(IgnoringModule, adapterOf(), options);
    await app.init();
    await app.close();
    return 'booted';
  } catch (error) {
    return String(error);
  }
}

async function majorOfNest(): Promise<string | undefined> {
  const manifest = await readFile('node_modules/@nestjs/core/package.json', 'utf8');
  return (JSON.parse(manifest) as { version: string }).version.split('.')[0];
}

async function main(): Promise<void> {
  const boots = [await bootOf(BodyController), await bootOf(NamedController)];
  process.stdout.write(JSON.stringify({ nest: await majorOfNest(), ...(await answers()), boots }));
}

void main();
