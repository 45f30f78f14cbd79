import { afterEach, describe, expect, it } from '@jest/globals';
import {
  All,
  type CanActivate,
  Controller,
  Inject,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnModuleInit,
  Scope,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD, REQUEST } from '@nestjs/core';
import {
  type Container,
  ContextModule,
  defineAdapter,
  defineHttpContextDecorator,
  RequestContext,
} from '@fledge/core';
import { CallerHeaders, RequestContexts } from '@fledge/core/packages';
import {
  getGraphqlAdapterToken,
  GraphqlAdapter,
  type GraphqlContext,
  GraphqlMountModule,
  type GraphqlMountOptions,
} from '@fledge/graphql';
import express from 'express';
import type { ServerResponse } from 'node:http';
import { buildSchema, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { call, query } from './support/requests.js';

afterEach(closeAll);

const hello = { typeDefs: 'type Query { hello: String }', rootValue: { hello: () => 'world' } };

@Injectable()
class Users {
  readonly names = ['ann', 'bob'];
}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  private static made = 0;
  readonly number = (PerRequest.made += 1);
  constructor(@Inject(REQUEST) readonly request: { headers: Record<string, string> }) {}
}

@Injectable()
class Deny implements CanActivate {
  static ran = 0;
  canActivate(): boolean {
    Deny.ran += 1;
    return false;
  }
}

@Controller()
class CatchAll {
  @All('*')
  any() {
    return 'caught';
  }
}

/** Stands for the tenant module: it registers an opener and names its header. */
@Module({ imports: [ContextModule] })
class TenantModule implements OnModuleInit {
  constructor(
    private readonly contexts: RequestContexts,
    private readonly headers: CallerHeaders,
  ) {}

  onModuleInit() {
    this.headers.add('x-tenant-id');
    this.contexts.register({
      open: async (ctx) => {
        await new Promise(setImmediate);
        ctx.set('tenant', ctx.headers['x-tenant-id']);
      },
      admit: (_, ctx) => {
        if (ctx.get('tenant') === 'banned') throw new UnauthorizedException('No such tenant');
      },
    });
  }
}

describe.each(platforms)('GraphqlMountModule on $name', (platform) => {
  it('passes the providers of the application to the root value', async () => {
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { users: [String] }',
            rootValue: (container: Container) => ({ users: () => container.get(Users).names }),
          }),
        ],
        providers: [Users],
      },
      platform,
    );
    expect((await query(`${url}/graphql`, '{ users }')).body).toEqual({
      data: { users: ['ann', 'bob'] },
    });
  });

  it('passes args, { ctx, container } and info to resolvers', async () => {
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { seen(a: Int): [String] }',
            rootValue: {
              seen: (args: { a: number }, context: GraphqlContext, info: { fieldName: string }) => [
                args.a,
                Object.keys(context).join(),
                context.ctx.headers['x-custom'],
                context.req.headers['x-custom'],
                context.ctx.url,
                context.container.get(Users).names[0],
                info.fieldName,
              ],
            },
          }),
        ],
        providers: [Users],
      },
      platform,
    );
    const answer = await query(`${url}/graphql`, '{ seen(a: 1) }', { 'x-custom': 'yes' });
    expect(answer.body).toEqual({
      data: { seen: ['1', 'ctx,container', 'yes', 'yes', '/graphql', 'ann', 'seen'] },
    });
  });

  it('runs after the middleware of the application, whose user is in the context', async () => {
    @Module({
      imports: [
        GraphqlMountModule.forRoot({
          typeDefs: 'type Query { me: String }',
          rootValue: { me: (_: unknown, { ctx }: GraphqlContext) => ctx.get('user') },
        }),
      ],
    })
    class AppModule implements NestModule {
      configure(consumer: MiddlewareConsumer) {
        const login = (req: { user?: string }, _: unknown, next: () => void) => {
          req.user = 'mw-user';
          next();
        };
        consumer.apply(login).forRoutes('*rest');
      }
    }
    const { url } = await serve(AppModule, platform);
    expect((await query(`${url}/graphql`, '{ me }')).body).toEqual({ data: { me: 'mw-user' } });
  });

  it('runs before the routes, also before a catch-all route', async () => {
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot(hello)], controllers: [CatchAll] },
      platform,
    );
    expect((await query(`${url}/graphql`, '{ hello }')).body).toEqual({ data: { hello: 'world' } });
    expect((await call(`${url}/graphql-not`)).body).toBe('caught');
  });

  it('resolves request-scoped providers once for each request', async () => {
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { a: [String] b: [String] }',
            rootValue: { a: numberAndHeader, b: numberAndHeader },
          }),
        ],
        providers: [PerRequest],
      },
      platform,
    );
    async function numberAndHeader(_: unknown, { container }: GraphqlContext) {
      const provider = await container.resolve(PerRequest);
      return [provider.number, provider.request.headers['x-name']];
    }
    const answers = await Promise.all(
      ['one', 'two'].map((name) => query(`${url}/graphql`, '{ a b }', { 'x-name': name })),
    );
    const [one, two] = answers.map(({ body }) => body.data);
    expect(one.a).toEqual(one.b);
    expect(two.a).toEqual(two.b);
    expect(one.a[0]).not.toBe(two.a[0]);
    expect([one.a[1], two.a[1]]).toEqual(['one', 'two']);
  });

  it.each(['middleware', 'route'] as const)(
    'as %s, runs the context decorators of application and adapters, and openers',
    async (mountAs) => {
      const LoadUser = defineHttpContextDecorator({
        key: 'user',
        deps: { users: Users },
        resolve: (ctx, { users }) =>
          users.names.find((name) => name === ctx.headers.authorization) ?? null,
      });
      const Greet = defineHttpContextDecorator({
        key: 'greeting',
        dependsOn: ['user'],
        resolve: (ctx) => `hello ${String(ctx.get('user'))} of ${String(ctx.get('tenant'))}`,
      });
      const Greeter = defineAdapter({ name: 'Greeter', build: () => ({ contributors: [Greet] }) });
      const { url } = await serve(
        {
          imports: [
            ContextModule.forRoot({ contributors: [LoadUser] }),
            Greeter(),
            TenantModule,
            GraphqlMountModule.forRoot({
              mountAs,
              typeDefs: 'type Query { greeting: String }',
              rootValue: { greeting: (_: unknown, { ctx }: GraphqlContext) => ctx.get('greeting') },
            }),
          ],
          providers: [Users],
        },
        platform,
      );
      const headers = { authorization: 'bob', 'x-tenant-id': 'acme' };
      expect((await query(`${url}/graphql`, '{ greeting }', headers)).body).toEqual({
        data: { greeting: 'hello bob of acme' },
      });
      const banned = await query(`${url}/graphql`, '{ greeting }', { 'x-tenant-id': 'banned' });
      expect(banned.status).toBe(401);
      expect(JSON.stringify(banned.body)).toContain('No such tenant');
    },
  );

  it('answers errors of context decorators as GraphQL errors', async () => {
    const Refuse = defineHttpContextDecorator({
      key: 'user',
      resolve: () => {
        throw new UnauthorizedException('Who are you?');
      },
    });
    const { url, app } = await serve(
      {
        imports: [
          ContextModule.forRoot({ contributors: [Refuse] }),
          GraphqlMountModule.forRoot(hello),
        ],
      },
      platform,
    );
    const answer = await query(`${url}/graphql`, '{ hello }');
    expect([answer.status, answer.body.errors]).toEqual([
      401,
      [
        {
          message: 'Who are you?',
          extensions: expect.objectContaining({ code: 'UNAUTHENTICATED', status: 401 }),
        },
      ],
    ]);
    expect(app.get(GraphqlAdapter).introspect().metrics.errors).toBe(1);
  });

  it('stops the boot on invalid context decorators', async () => {
    const Lost = defineHttpContextDecorator({
      key: 'lost',
      dependsOn: ['nothing'],
      resolve: () => 1,
    });
    await expect(
      serve(
        {
          imports: [
            ContextModule.forRoot({ contributors: [Lost] }),
            GraphqlMountModule.forRoot(hello),
          ],
        },
        platform,
      ),
    ).rejects.toMatchObject({ code: 'CORE_UNMET_CONTRIBUTOR_DEPENDENCY' });
  });

  describe.each(['middleware', 'route'] as const)('as %s', (mountAs) => {
    const mount = (options: Partial<GraphqlMountOptions> = {}) =>
      GraphqlMountModule.forRoot({ ...hello, mountAs, ...options });

    it('is below the global prefix, and runs in the context of its request', async () => {
      const { url } = await serve(
        {
          imports: [
            TenantModule,
            mount({
              typeDefs: 'type Query { tenant: String }',
              rootValue: {
                // The injected context looks for the request being served: it is this one.
                tenant: (_: unknown, { ctx, container }: GraphqlContext) =>
                  container.get(RequestContext).req === ctx.req && ctx.get('tenant'),
              },
            }),
          ],
        },
        platform,
        (app) => app.setGlobalPrefix('api'),
      );
      const headers = { 'x-tenant-id': 'acme' };
      const answer = await query(`${url}/api/graphql`, '{ tenant }', headers);
      expect(answer).toMatchObject({ status: 200, body: { data: { tenant: 'acme' } } });
      expect((await query(`${url}/graphql`, '{ tenant }', headers)).status).toBe(404);
    });

    it('ignores a global prefix that excludes it', async () => {
      const { url } = await serve({ imports: [mount()] }, platform, (app) =>
        app.setGlobalPrefix('api', { exclude: ['graphql'] }),
      );
      expect((await query(`${url}/graphql`, '{ hello }')).status).toBe(200);
      expect((await query(`${url}/api/graphql`, '{ hello }')).status).toBe(404);
    });

    it('is the same in every version of the application', async () => {
      const { url } = await serve({ imports: [mount()] }, platform, (app) =>
        app.enableVersioning({ type: 0, defaultVersion: '1' }),
      );
      expect((await query(`${url}/graphql`, '{ hello }')).status).toBe(200);
      expect((await query(`${url}/v1/graphql`, '{ hello }')).status).toBe(404);
    });

    it('runs after the middleware of all modules, wherever they are imported', async () => {
      @Module({})
      class AuthModule implements NestModule {
        configure(consumer: MiddlewareConsumer): void {
          const refuse = (_request: unknown, response: ServerResponse) => {
            response.writeHead(401).end('no auth');
          };
          consumer.apply(refuse).forRoutes('{*path}');
        }
      }
      const nested = { module: class Feature {}, imports: [AuthModule] };
      for (const imports of [
        [mount(), AuthModule],
        [mount(), nested],
        [AuthModule, mount()],
      ]) {
        const { url } = await serve({ imports }, platform);
        expect((await query(`${url}/graphql`, '{ hello }')).status).toBe(401);
      }
    });

    it('carries the CORS headers of the application', async () => {
      const { url } = await serve({ imports: [mount()] }, platform, (app) =>
        app.enableCors({ origin: 'https://app.example.com' }),
      );
      const response = await fetch(`${url}/graphql?query={hello}`, {
        headers: { origin: 'https://app.example.com' },
      });
      expect(await response.json()).toEqual({ data: { hello: 'world' } });
      expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    });
  });

  it('runs the guards of the application as a route only', async () => {
    const served = (mountAs: 'middleware' | 'route') =>
      serve(
        {
          imports: [GraphqlMountModule.forRoot({ ...hello, mountAs })],
          providers: [{ provide: APP_GUARD, useClass: Deny }],
        },
        platform,
      );
    const middleware = await served('middleware');
    Deny.ran = 0;
    expect((await query(`${middleware.url}/graphql`, '{ hello }')).status).toBe(200);
    expect(Deny.ran).toBe(0);
    const route = await served('route');
    expect((await query(`${route.url}/graphql`, '{ hello }')).status).toBe(403);
    expect(Deny.ran).toBe(1);
  });

  it('separates concurrent requests', async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    const { url } = await serve(
      {
        imports: [
          TenantModule,
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { seen: [String] }',
            rootValue: {
              seen: async (_: unknown, { ctx, container }: GraphqlContext) => {
                const current = container.get(RequestContext);
                const seen = [current.get('tenant')];
                for (let i = 0; i < 3; i += 1) {
                  await pause();
                  seen.push(current.get('tenant'), ctx.get('tenant'));
                }
                return seen;
              },
            },
          }),
        ],
      },
      platform,
    );
    const tenants = Array.from({ length: 60 }, (_, i) => `tenant-${i % 7}`);
    const answers = await Promise.all(
      tenants.map((tenant) => query(`${url}/graphql`, '{ seen }', { 'x-tenant-id': tenant })),
    );
    expect(answers.map(({ body }) => body.data.seen)).toEqual(
      tenants.map((tenant) => Array.from({ length: 7 }, () => tenant)),
    );
  });

  it('serves several mounts, each with its schema, numbers and provider', async () => {
    const compiled = new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        fields: { code: { type: GraphQLString, resolve: () => 'first' } },
      }),
    });
    const { app, url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot(hello),
          GraphqlMountModule.forRoot({ name: 'Admin', path: '/graphql-admin', schema: compiled }),
          GraphqlMountModule.forRootAsync({
            name: 'Late',
            mountAs: 'route',
            inject: [Users],
            imports: [UsersModule],
            useFactory: (users: Users) => ({
              path: '/late',
              schema: () => buildSchema('type Query { late: [String] }'),
              rootValue: { late: users.names },
            }),
          }),
        ],
      },
      platform,
    );
    expect((await query(`${url}/graphql`, '{ hello }')).body).toEqual({ data: { hello: 'world' } });
    expect((await query(`${url}/graphql-admin`, '{ code }')).body).toEqual({
      data: { code: 'first' },
    });
    expect((await query(`${url}/late`, '{ late }')).body).toEqual({
      data: { late: ['ann', 'bob'] },
    });
    await query(`${url}/late`, '{ late }');
    const numbers = ['GraphqlAdapter', 'Admin', 'Late'].map(
      (name) =>
        app.get<GraphqlAdapter>(getGraphqlAdapterToken(name), { strict: false }).introspect()
          .metrics.queries,
    );
    expect(numbers).toEqual([1, 1, 2]);
  });
});

@Module({ providers: [Users], exports: [Users] })
class UsersModule {}

it.each(['text', 'raw'] as const)(
  'reads a body that a parser of Express stored: %s',
  async (as) => {
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot(hello)] },
      platforms[0]!,
      (app) => void app.use(express[as]({ type: '*/*' })),
      { bodyParser: false },
    );
    expect((await query(`${url}/graphql`, '{ hello }')).body).toEqual({ data: { hello: 'world' } });
  },
);
