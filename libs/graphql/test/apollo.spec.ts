import { afterEach, describe, expect, it } from '@jest/globals';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import {
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  Module,
  type OnModuleInit,
  type Provider,
  Scope,
  UseGuards,
} from '@nestjs/common';
import { Context, GraphQLModule, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import {
  ContextModule,
  Ctx,
  defineHttpContextDecorator,
  FromContext,
  IntrospectionRegistry,
  RequestContext,
} from '@fledge/core';
import { PanelSources, RequestContexts } from '@fledge/core/packages';
import { getGraphqlAdapterToken, GraphqlAdapter, GraphqlContext } from '@fledge/graphql';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { closeAll, createApp, platforms, serve } from '../../../test/support/platforms.js';
import { persisted } from './support/documents.js';
import { call, query } from './support/requests.js';
import { apolloModule } from './support/nest-graphql.js';

afterEach(closeAll);

const LoadUser = defineHttpContextDecorator({
  key: 'user',
  resolve: (ctx) => ctx.headers['x-user'] ?? null,
});

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  private static made = 0;
  readonly number = (PerRequest.made += 1);
}

/** As guards written for Apollo's own context are. */
@Injectable()
class OldGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const { req } = execution.getArgByIndex<{ req: { headers: Record<string, string> } }>(2);
    return req.headers['x-user'] !== 'eve';
  }
}

@Resolver()
class ThingsResolver {
  constructor(private readonly current: RequestContext) {}

  @Query(() => String)
  hello() {
    return 'world';
  }

  @UseGuards(OldGuard)
  @Query(() => [String])
  seen(
    @Context() context: GraphqlContext,
    @Ctx() ctx: RequestContext,
    @FromContext('user') user: string,
  ) {
    return [
      Object.keys(context).join(),
      context instanceof GraphqlContext,
      context.req.headers['x-user'],
      context.ctx.headers['x-user'],
      context.ctx === ctx,
      this.current.req === ctx.req && ctx.req === context.req,
      user,
      ctx.get('user'),
      ctx.get('tenant'),
      ctx.url,
    ].map(String);
  }

  @Query(() => String)
  fails(): string {
    throw new ForbiddenException('Not yours');
  }

  @Mutation(() => String)
  go() {
    return 'gone';
  }
}

@Resolver()
class ScopedResolver {
  constructor(private readonly injected: PerRequest) {}

  @Query(() => [String])
  async scoped(@Context() { container }: GraphqlContext) {
    const resolved = await container.resolve(PerRequest);
    return [String(resolved === this.injected), String(this.injected.number)];
  }
}

@Resolver()
class WhoResolver {
  @Subscription(() => String)
  async *who(@Context() { ctx, req }: GraphqlContext) {
    yield Promise.resolve({
      who: ctx.headers.authorization === req.headers.authorization ? ctx.headers.authorization : '',
    });
  }
}

@Module({ imports: [ContextModule] })
class TenantModule implements OnModuleInit {
  constructor(@Inject(RequestContexts) private readonly contexts: RequestContexts) {}

  onModuleInit() {
    this.contexts.register({ open: (ctx) => ctx.set('tenant', ctx.headers['x-tenant-id']) });
  }
}

const typeDefs = `
  type Query { hello: String! seen: [String!]! fails: String! scoped: [String!]! }
  type Mutation { go: String! }`;

const ways = [
  {
    way: 'code-first, forRoot',
    graphql: (more: Partial<ApolloDriverConfig> = {}) =>
      apolloModule({ plugins: [GraphqlContextFactory.metricsPlugin()], ...more }),
  },
  {
    way: 'schema-first, forRootAsync',
    graphql: (more: Partial<ApolloDriverConfig> = {}) =>
      GraphQLModule.forRootAsync<ApolloDriverConfig>({
        driver: ApolloDriver,
        inject: [GraphqlContextFactory],
        useFactory: (factory: GraphqlContextFactory) => ({
          typeDefs,
          context: factory.create,
          plugins: [factory.metricsPlugin()],
          ...more,
        }),
      }),
  },
];

const places = platforms.flatMap((platform) =>
  ways.map(({ way, graphql }) => ({ name: `${way}, on ${platform.name}`, platform, graphql })),
);

describe.each(places)('Apollo, $name', ({ platform, graphql }) => {
  const providers: Provider[] = [ThingsResolver, ScopedResolver, PerRequest, OldGuard];
  const open = (imports: DynamicModule[], prepare?: Parameters<typeof serve>[2]) =>
    serve(
      {
        imports: [
          ContextModule.forRoot({ contributors: [LoadUser] }),
          TenantModule,
          GraphqlApolloModule.forRoot(),
          ...imports,
        ],
        providers,
      },
      platform,
      prepare,
    );

  it('remembers documents by its own option', async () => {
    const extensions = persisted('{ hello }');
    const send = (url: string, more: object = {}) =>
      call(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ extensions, ...more }),
      });
    const { url } = await open([graphql()]);
    const codeOf = async (at: string) => (await send(at)).body.errors[0].extensions.code;
    expect(await codeOf(url)).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect((await send(url, { query: '{ hello }' })).body.data).toEqual({ hello: 'world' });
    expect((await send(url)).body.data).toEqual({ hello: 'world' });
    const without = await open([graphql({ persistedQueries: false })]);
    expect(await codeOf(without.url)).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
  });

  it('passes { ctx, container } to resolvers, with request, user and tenant', async () => {
    const { url } = await open([graphql()]);
    const headers = { 'x-user': 'ann', 'x-tenant-id': 'acme' };
    expect((await query(`${url}/graphql`, '{ seen }', headers)).body).toEqual({
      data: {
        seen: [
          'ctx,container',
          'true',
          'ann',
          'ann',
          'true',
          'true',
          'ann',
          'ann',
          'acme',
          '/graphql',
        ],
      },
    });
    const refused = await query(`${url}/graphql`, '{ seen }', { 'x-user': 'eve' });
    expect(refused.body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('has the tenant below a global prefix, with and without useGlobalPrefix', async () => {
    const prefixed = (app: { setGlobalPrefix(prefix: string): unknown }) => {
      app.setGlobalPrefix('api');
    };
    const headers = { 'x-tenant-id': 'acme' };
    const unused = await open([graphql()], prefixed);
    expect((await query(`${unused.url}/graphql`, '{ seen }', headers)).body.data.seen).toContain(
      'acme',
    );
    const used = await open([graphql({ useGlobalPrefix: true })], prefixed);
    expect((await query(`${used.url}/api/graphql`, '{ seen }', headers)).body.data.seen).toContain(
      'acme',
    );
  });

  it('shows the panel the path at which it is served', async () => {
    const shown = async (modules: DynamicModule[]) => {
      const { app } = await open(modules, (it) => it.setGlobalPrefix('api'));
      const panel = app.get(PanelSources, { strict: false });
      return panel
        .get('graphql')
        ?.mounts()
        .map(({ path }) => path);
    };
    const other = graphql({ path: '/other' });
    expect(await shown([graphql()])).toEqual(['/graphql']);
    expect(await shown([graphql({ useGlobalPrefix: true })])).toEqual(['/api/graphql']);
    expect(await shown([other, graphql()])).toEqual(['/graphql']);
    expect(await shown([other, graphql({ useGlobalPrefix: true })])).toEqual(['/api/graphql']);
  });

  it('resolves the instance that Nest injected', async () => {
    const { url } = await open([graphql()]);
    const send = async () => (await query(`${url}/graphql`, '{ scoped }')).body.data.scoped;
    const [first, second] = await Promise.all([send(), send()]);
    expect([first[0], second[0]]).toEqual(['true', 'true']);
    expect(first[1]).not.toBe(second[1]);
  });

  it('counts into a snapshot', async () => {
    const { app, url } = await open([graphql()]);
    const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken());
    expect(adapter).toBe(app.get(GraphqlAdapter));
    const send = (operation: string) => query(`${url}/graphql`, operation);
    await send('{ hello }');
    await send('mutation { go }');
    await send('{ fails }');
    await send('{ nope }');
    await send('{ hello');
    const snapshot = {
      protocolVersion: 1,
      name: 'GraphqlAdapter',
      kind: 'adapter',
      state: { path: '/graphql' },
      metrics: { queries: 2, mutations: 1, errors: 3 },
    };
    expect(adapter.introspect()).toEqual(snapshot);
    const { adapters } = await app.get(IntrospectionRegistry).collect();
    expect(adapters).toContainEqual(snapshot);
  });
});

describe.each(platforms)('Apollo without GraphqlApolloModule, on $name', (platform) => {
  it('names the missing module', async () => {
    const { url } = await serve(
      {
        imports: [
          ContextModule,
          GraphQLModule.forRoot<ApolloDriverConfig>({
            driver: ApolloDriver,
            typeDefs: 'type Query { hello: String }',
            context: GraphqlContextFactory.create,
          }),
        ],
      },
      platform,
    );
    const { status, body } = await query(`${url}/graphql`, '{ hello }');
    expect(status).toBe(500);
    expect(body.errors[0].message).toContain(
      'GraphqlContextFactory and Apollo are not connected. Import GraphqlApolloModule.forRoot()',
    );
  });

  it("gives subscriptions of Nest's own server the context of their connection", async () => {
    const { url } = await serve(
      {
        imports: [
          GraphqlApolloModule.forRoot(),
          GraphQLModule.forRootAsync<ApolloDriverConfig>({
            driver: ApolloDriver,
            inject: [GraphqlContextFactory],
            useFactory: ({ create }: GraphqlContextFactory) => ({
              typeDefs: 'type Query { hello: String } type Subscription { who: String }',
              context: create,
              subscriptions: { 'graphql-ws': true },
            }),
          }),
        ],
        providers: [WhoResolver],
      },
      platform,
    );
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: 'ann' },
      retryAttempts: 0,
    });
    const { value } = await client.iterate({ query: 'subscription { who }' }).next();
    expect(value).toEqual({ data: { who: 'ann' } });
    await client.dispose();
  });

  it('two applications in one process do not share contexts', async () => {
    const application = () =>
      serve(
        {
          imports: [GraphqlApolloModule.forRoot(), ways[0]!.graphql()],
          providers: [ThingsResolver],
        },
        platform,
      );
    const [one, two] = [await application(), await application()];
    await query(`${one.url}/graphql`, '{ hello }');
    await call(`${two.url}/graphql?query={hello}`, {
      headers: { 'apollo-require-preflight': 'y' },
    });
    await query(`${two.url}/graphql`, '{ hello }');
    const queries = [one, two].map(
      ({ app }) => app.get(GraphqlAdapter).introspect().metrics.queries,
    );
    expect(queries).toEqual([1, 2]);
  });

  it.each([
    [GraphqlApolloModule, GraphqlApolloModule],
    [GraphqlApolloModule, GraphqlMercuriusModule],
    [GraphqlMercuriusModule, GraphqlMercuriusModule],
  ])(
    'refuses two modules that extend GraphQLModule, also with two names and paths',
    async (one, other) => {
      const imports = [one.forRoot(), other.forRoot({ name: 'B', path: '/b' })];
      await expect(createApp({ imports }, platform.adapter())).rejects.toMatchObject({
        code: 'GRAPHQL_BAD_OPTION',
        message:
          `The application imports 2 modules (${one.name}, ${other.name}), and the options of each would apply to every ` +
          'GraphQLModule. Import only one of them, once. For an endpoint with its own limits and counts, use ' +
          'GraphqlMountModule.',
      });
    },
  );
});
