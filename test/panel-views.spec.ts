// The panel depends on core only: what it shows of query, tenant and graphql is seen here.
import { GraphqlMountModule } from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { PanelModule, type PanelState } from '@fledge/panel';
import { Qs, QueryModule } from '@fledge/query/nest';
import { RequestContext } from '@fledge/core';
import {
  CurrentTenant,
  TenantAdapter,
  type TenantAdapterOptions,
  type TenantContext,
  TenantModule,
} from '@fledge/tenant';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { Controller, Get, Inject, Injectable, Module, UnauthorizedException } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { date, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { call, closeAll, platforms, post, serve } from './support/platforms.js';

const TASKS = { filterable: ['status', 'due'], sortable: ['due'] } as const;

@Controller({ path: 'tasks' })
class TasksController {
  @Get()
  list(@Qs(TASKS, { maxLimit: 50 }) query: object, @CurrentTenant() { tenantId }: TenantContext) {
    return { tenantId, query };
  }
}

const asked: string[] = [];

@Injectable()
class Tokens {
  constructor(@Inject(RequestContext) private readonly ctx: RequestContext) {}

  company(): string {
    const token = this.ctx.headers['authorization'];
    asked.push(String(token));
    if (token === undefined) throw new UnauthorizedException('Send a token');
    return String(token).replace('Bearer ', '');
  }
}

const STORE: NonNullable<TenantAdapterOptions['store']> = (identifier) =>
  ({
    acme: { tenantId: 'acme', data: { name: 'Acme Ltd' } },
    globex: { tenantId: 'globex', status: 'suspended' as const },
  })[identifier];

@Module({ providers: [Tokens], exports: [Tokens] })
class TokensModule {}

@Module({
  imports: [
    TenantModule.forRootAsync({
      imports: [TokensModule],
      inject: [Tokens],
      useFactory: (tokens: Tokens): TenantAdapterOptions => ({
        strategy: ['header', { type: 'function', name: 'token', resolve: () => tokens.company() }],
        store: STORE,
        verify: { principal: () => 'acme' },
      }),
    }),
    QueryModule.forRoot({ onInvalid: 'throw' }),
    GraphqlMountModule.forRoot({ typeDefs: 'type Query { hello: String }', rootValue: {} }),
    PanelModule.forRoot({ name: 'shop' }),
  ],
  controllers: [TasksController],
})
class AppModule {}

const ask = async (url: string, question: object) =>
  (await call(`${url}/_fledge/api/tenants/ask`, post(question))).body as {
    verdict: object;
    steps: { name: string; asked: boolean; ok: boolean; value?: string }[];
  };

afterEach(closeAll);

describe.each(platforms)('the panel on $name', (platform) => {
  it('says which tenant a request would be for, and what each strategy answered', async () => {
    const { url } = await serve(AppModule, platform);
    const byToken = await ask(url, { path: '/tasks', headers: { Authorization: 'Bearer acme' } });
    expect(byToken.verdict).toEqual({ tenant: 'acme' });
    expect(byToken.steps).toMatchObject([
      { name: 'header', asked: true, ok: true, text: 'The header x-tenant-id contains no tenant.' },
      { name: 'token', asked: true, ok: true, value: 'acme' },
      { name: 'store', asked: true, ok: true, value: 'acme' },
      { name: 'verify', asked: false, ok: true },
    ]);
    const byHeader = await ask(url, { headers: { 'X-Tenant-ID': 'globex' } });
    expect(byHeader).toMatchObject({
      verdict: { status: 403, code: 'TENANT_SUSPENDED' },
      steps: [
        { name: 'header', value: 'globex' },
        { name: 'token', asked: false },
        { name: 'store', ok: false },
      ],
    });
    expect(await ask(url, {})).toMatchObject({
      verdict: { status: 401, message: 'Send a token' },
      steps: [{ name: 'header' }, { name: 'token', ok: false, text: 'Send a token' }],
    });
    expect((await ask(url, { headers: { 'x-tenant-id': 'a b' } })).verdict).toMatchObject({
      status: 400,
      code: 'TENANT_INVALID',
    });
  });

  it('checks a caller: whom the application finds by the headers, and which tenant', async () => {
    const { url } = await serve(AppModule, platform);
    const check = async (headers: object) =>
      (await call(`${url}/_fledge/api/callers/check`, post({ route: '/tasks', headers }))).body;
    expect(await check({ authorization: 'Bearer acme' })).toEqual({ status: 200, tenant: 'acme' });
    expect(await check({ 'x-tenant-id': 'globex' })).toMatchObject({ status: 403 });
    expect(await check({})).toEqual({ status: 401, message: 'Send a token' });
  });

  it('checks a caller of an application with TLS', async () => {
    const pem = (name: string) =>
      readFileSync(new URL(`../libs/mcp/test/tls/${name}.pem`, import.meta.url), 'utf8');
    const https = { cert: pem('server'), key: pem('server-key') };
    const secured =
      platform.name === 'Express'
        ? platform
        : { ...platform, adapter: () => new FastifyAdapter({ https }) };
    const { url } = await serve(AppModule, secured, undefined, { httpsOptions: https });
    const body = await new Promise<string>((resolve, reject) => {
      const sent = request(
        `${url}/_fledge/api/callers/check`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          rejectUnauthorized: false,
        },
        (response) =>
          void response
            .setEncoding('utf8')
            .toArray()
            .then((parts) => resolve(parts.join('')), reject),
      );
      sent.on('error', reject);
      sent.end(JSON.stringify({ route: '/tasks', headers: { authorization: 'Bearer acme' } }));
    });
    expect(JSON.parse(body)).toEqual({ status: 200, tenant: 'acme' });
  });

  it('is left alone by tenancy: none of its own requests is looked up', async () => {
    const { app, url } = await serve(AppModule, platform);
    asked.length = 0;
    const headers = { 'x-tenant-id': 'globex' };
    expect((await fetch(`${url}/_fledge/api/state`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/_fledge/api/app`)).status).toBe(200);
    expect(asked).toEqual([]);
    expect(app.get(TenantAdapter).introspect().metrics).toMatchObject({
      resolved: 0,
      suspended: 0,
    });
    expect((await fetch(`${url}/tasks`, { headers })).status).toBe(403);
  });

  it('is reached where the first segment of a path names the tenant', async () => {
    @Module({
      imports: [
        TenantModule.forRoot({ strategy: { type: 'path', strip: true } }),
        PanelModule.forRoot(),
      ],
      controllers: [TasksController],
    })
    class PathModule {}
    const { url } = await serve(PathModule, platform);
    expect((await fetch(`${url}/_fledge/api/app`)).status).toBe(200);
    expect((await call(`${url}/acme/tasks`)).body).toMatchObject({ tenantId: 'acme' });
  });

  it('shows the tenants in the cache, list routes and GraphQL mounts', async () => {
    const { url } = await serve(AppModule, platform, (app) => app.setGlobalPrefix('api'));
    await fetch(`${url}/api/tasks`, { headers: { 'x-tenant-id': 'acme' } });
    await fetch(`${url}/api/tasks`, { headers: { 'x-tenant-id': 'nobody' } });
    const query = post({ query: '{ hello }' });
    const headers = { ...query.headers, 'x-tenant-id': 'acme' };
    await call(`${url}/api/graphql`, { ...query, headers });
    const { body } = await call(`${url}/api/_fledge/api/state`);
    expect(body as PanelState).toMatchObject({
      app: { name: 'shop', counts: { tenants: 1, queries: 1, graphql: 1 } },
      tools: { installed: false },
      tenants: {
        strategies: ['header', 'token'],
        combine: 'first',
        verifies: true,
        known: [
          {
            id: 'acme',
            name: 'Acme Ltd',
            status: 'active',
            requests: 2,
            cacheMs: expect.any(Number),
          },
        ],
        refused: [{ code: 'TENANT_UNKNOWN', count: 1 }],
      },
      snapshots: {
        adapters: expect.arrayContaining([
          expect.objectContaining({
            name: 'TenantAdapter',
            metrics: expect.objectContaining({ resolved: 2, unknown: 1, byTenant: { acme: 2 } }),
          }),
        ]),
        errors: [],
      },
      queries: {
        routes: [
          {
            key: 'GET /api/tasks TasksController.list',
            path: '/api/tasks',
            url: '../tasks',
            handler: 'TasksController.list',
            columns: [{ name: 'status', operators: expect.any(Array) }, { name: 'due' }],
            sortable: ['due'],
            searchable: false,
            defaultLimit: 20,
            maxLimit: 50,
            onInvalid: 'throw',
          },
        ],
      },
      graphql: {
        mounts: [
          {
            path: '/api/graphql',
            url: '../graphql',
            runtime: '@fledge/graphql',
            queries: 1,
            errors: 0,
          },
        ],
      },
    });
  });

  it('keeps the counts of tenants that are not cached', async () => {
    @Module({
      imports: [TenantModule.forRoot({ strategy: 'header', cache: false }), PanelModule.forRoot()],
      controllers: [TasksController],
    })
    class UncachedModule {}
    const { url } = await serve(UncachedModule, platform);
    for (const id of ['one', 'two', 'one']) {
      await fetch(`${url}/tasks`, { headers: { 'x-tenant-id': id } });
    }
    const { tenants } = (await call(`${url}/_fledge/api/state`)).body as PanelState;
    expect(tenants.installed && tenants.known).toEqual([
      { id: 'one', requests: 2 },
      { id: 'two', requests: 1 },
    ]);
  });

  it('shows what Drizzle says of columns, and the subscriptions of a mount', async () => {
    const table = pgTable('tasks', {
      status: text('status', { enum: ['open', 'done'] }),
      due: date('due'),
      points: integer('points'),
    });
    @Controller('points')
    class PointsController {
      @Get()
      list(
        @Qs({ columns: { status: table.status, due: table.due, points: table.points } }) q: object,
      ) {
        return q;
      }
    }
    @Module({
      imports: [
        GraphqlMountModule.forRoot({
          typeDefs: 'type Query { a: Int } type Subscription { ticks: Int }',
          rootValue: {
            async *ticks() {
              yield { ticks: 1 };
              await new Promise<void>(() => undefined);
            },
          },
          runtime: yoga(),
        }),
        PanelModule.forRoot(),
      ],
      controllers: [PointsController],
    })
    class StreamModule {}
    const { url } = await serve(StreamModule, platform);
    const left = new AbortController();
    const stream = await fetch(`${url}/graphql`, {
      ...post({ query: 'subscription { ticks }' }),
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      signal: left.signal,
    });
    await stream.body!.getReader().read();
    const { queries, graphql } = (await call(`${url}/_fledge/api/state`)).body as PanelState;
    expect(queries.installed && queries.routes[0]!.columns).toMatchObject([
      { name: 'status', type: 'string', values: ['open', 'done'] },
      { name: 'due', type: 'string' },
      { name: 'points', type: 'number' },
    ]);
    expect(graphql).toMatchObject({
      mounts: [{ runtime: 'graphql-yoga', subscriptions: { active: 1, started: 1 } }],
    });
    left.abort();
  });

  it('parses a query as the route does, and lists what is dropped', async () => {
    const { url } = await serve(AppModule, platform);
    const parse = (query: string) =>
      call(
        `${url}/_fledge/api/queries/parse`,
        post({ route: 'GET /tasks TasksController.list', query }),
      );
    const query = 'filter=status:eq:open&sort=due:asc&limit=3';
    const { body } = (await call(`${url}/tasks?${query}`, {
      headers: { 'x-tenant-id': 'acme' },
    })) as { body: { query: object } };
    expect(await parse(query)).toEqual({ status: 200, body: { parsed: body.query, dropped: [] } });
    expect((await parse('?filter=salary:gt:1&sort=x')).body).toEqual({
      dropped: [
        { text: 'filter salary', reason: expect.stringMatching(/^field-not-allowed/) },
        { text: 'sort', reason: expect.any(String) },
      ],
    });
    const missing = post({ route: 'GET /none', query: '' });
    expect(await call(`${url}/_fledge/api/queries/parse`, missing)).toMatchObject({ status: 404 });
  });
});
