// Resolvers, mounts, tools and reads of the tenant behind middleware that continues in a callback of a connection
// that requests share. Node calls back in the context of the request that opened the connection.
import { GraphqlContextFactory, GraphqlApolloModule } from '@fledge/graphql/apollo';
import { type GraphqlContext, graphqlHttp, GraphqlMountModule } from '@fledge/graphql';
import { GraphqlMercuriusModule, MercuriusContextFactory } from '@fledge/graphql/mercurius';
import { yoga } from '@fledge/graphql/yoga';
import { McpCall, McpModule, McpTool } from '@fledge/mcp';
import {
  CurrentTenant,
  TENANT_CONTEXT,
  type TenantContext,
  Tenancy,
  TenantModule,
} from '@fledge/tenant';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import {
  type CanActivate,
  Controller,
  ForbiddenException,
  Get,
  Inject,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type ModuleMetadata,
  type NestModule,
  Post,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { Args, GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { query } from '../libs/graphql/test/support/requests.js';
import { connectEra, eras } from '../libs/mcp/test/support/eras.js';
import { closeAll, platforms, serve } from './support/platforms.js';
import { addFastifyHook, SharedConnection } from './support/shared-connection.js';
import { currentTenantId } from './support/served-tenants.js';

afterEach(closeAll);

const [, fastify] = platforms;
const tenants = ['first', 'a', 'b', 'a', 'c'];

let connection: SharedConnection;
beforeEach(() => {
  connection = new SharedConnection();
});

/** An application whose first middleware continues in a callback. */
function behindMiddleware(metadata: ModuleMetadata): Type {
  @Module({
    ...metadata,
    imports: [TenantModule.forRoot({ strategy: 'header' }), ...(metadata.imports ?? [])],
  })
  class AppModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      consumer.apply(connection.middleware).forRoutes('{*path}');
    }
  }
  return AppModule;
}

/** Rejects requests for which it runs as another tenant. */
@Injectable()
class Guard implements CanActivate {
  canActivate(execution: { getArgByIndex(index: number): GraphqlContext }): boolean {
    const own = execution.getArgByIndex(2).ctx.headers['x-tenant-id'];
    if (currentTenantId() !== own) throw new ForbiddenException('guarded for another tenant');
    return true;
  }
}

@Resolver()
class NotesResolver {
  constructor(
    private readonly tenancy: Tenancy,
    @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
  ) {}

  @UseGuards(Guard)
  @Query(() => String)
  async note(@CurrentTenant() { tenantId }: TenantContext, @Args('id') id: string) {
    const before = this.tenant.tenantId;
    await new Promise((resolve) => setImmediate(resolve));
    return [id, tenantId, before, this.tenancy.current().tenantId].join();
  }
}

const operation = '{ note(id: "1") }';
const askAll = async (url: string) => {
  const answers = [];
  for (const tenant of tenants) {
    answers.push((await query(`${url}/graphql`, operation, { 'x-tenant-id': tenant })).body);
  }
  return answers;
};
const own = tenants.map((tenant) => ({ data: { note: ['1', tenant, tenant, tenant].join() } }));

const apollo: ModuleMetadata = {
  imports: [
    GraphqlApolloModule.forRoot(),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      typeDefs: 'type Query { note(id: String!): String }',
      context: GraphqlContextFactory.create,
    }),
  ],
  providers: [NotesResolver],
};
const mercurius: ModuleMetadata = {
  imports: [
    GraphqlMercuriusModule.forRoot(),
    GraphQLModule.forRoot<MercuriusDriverConfig>({
      driver: MercuriusDriver,
      typeDefs: 'type Query { note(id: String!): String }',
      context: MercuriusContextFactory.create,
    }),
  ],
  providers: [NotesResolver],
};
const mount = (runtime: ReturnType<typeof yoga>, mountAs: 'middleware' | 'route') => ({
  imports: [
    GraphqlMountModule.forRoot({
      typeDefs: 'type Query { note(id: String!): String }',
      rootValue: {
        note: async ({ id }: { id: string }, { container }: GraphqlContext) => {
          const before = currentTenantId();
          await new Promise((resolve) => setImmediate(resolve));
          const { tenantId } = container.get(Tenancy).current();
          return [id, tenantId, before, currentTenantId()].join();
        },
      },
      runtime,
      mountAs,
    }),
  ],
});
const ways: [name: string, make: () => ModuleMetadata][] = [
  ['Apollo', () => apollo],
  ['graphqlHttp()', () => mount(graphqlHttp(), 'middleware')],
  ['graphqlHttp() as a route', () => mount(graphqlHttp(), 'route')],
  ['yoga()', () => mount(yoga(), 'middleware')],
  ['yoga() as a route', () => mount(yoga(), 'route')],
];

describe.each(platforms)('Behind middleware that continues in a callback, on $name', (platform) => {
  it.each(platform === fastify ? [...ways, ['Mercurius', () => mercurius] as const] : ways)(
    '%s works for the tenant of each request',
    async (_, make) => {
      const { url } = await serve(behindMiddleware(make()), platform);
      expect(await askAll(url)).toEqual(own);
    },
  );

  describe.each(eras)('calls of tools of %s', (era) => {
    @Controller()
    class Tools {
      constructor(
        @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
        private readonly call: McpCall,
      ) {}

      @Get('whoami')
      @McpTool({ name: 'whoami', description: 'Says the tenant' })
      whoami(@CurrentTenant() { tenantId }: TenantContext) {
        return { tenants: [tenantId, this.tenant.tenantId] };
      }

      @Post('work')
      @McpTool({ name: 'work', description: 'Reports and asks' })
      async work() {
        const { tenantId } = this.tenant;
        this.call.progress(1, 2, tenantId);
        this.call.log('warning', { tenantId });
        const answer = await this.call.elicit({
          message: tenantId,
          schema: { type: 'object', properties: { to: { type: 'string' } } },
        });
        return { tenantId, answer };
      }
    }

    it('work for their caller, report to it and ask it', async () => {
      const app = behindMiddleware({
        imports: [McpModule.forRoot({ name: 'spec', sessions: { max: 10 } })],
        controllers: [Tools],
      });
      const { url } = await serve(app, platform);
      await Promise.all(
        tenants.map(async (tenant) => {
          const asked: string[] = [];
          const client = await connectEra(era, `${url}/_mcp/messages`, {
            headers: { 'x-tenant-id': tenant },
            elicit: ({ message }) => {
              asked.push(message);
              return { action: 'accept', content: { to: tenant } };
            },
          });
          const who = await client.call('whoami');
          const reported: unknown[] = [];
          const worked = await client.call(
            'work',
            {},
            {
              // The client of 2026-07-28 reports its own progress too, without a total.
              onprogress: ({ total, message }) => total === 2 && reported.push(message),
              logLevel: 'warning',
            },
          );
          await client.close();
          expect(JSON.stringify(who)).toContain(
            JSON.stringify(`["${tenant}","${tenant}"]`).slice(1, -1),
          );
          expect(JSON.parse((worked.content[0] as { text: string }).text)).toEqual({
            tenantId: tenant,
            answer: { action: 'accept', content: { to: tenant } },
          });
          expect(asked).toEqual([tenant]);
          expect(new Set(reported)).toEqual(new Set([tenant]));
          expect(new Set(client.logs.map(({ data }) => JSON.stringify(data)))).toEqual(
            new Set([JSON.stringify({ tenantId: tenant })]),
          );
        }),
      );
    });
  });
});

describe.each(['onRequest', 'preParsing', 'preValidation', 'preHandler'])(
  'Behind the hook %s of Fastify that continues in a callback',
  (hook) => {
    const plain = (metadata: ModuleMetadata): ModuleMetadata => ({
      ...metadata,
      imports: [TenantModule.forRoot({ strategy: 'header' }), ...(metadata.imports ?? [])],
    });

    it.each([...ways, ['Mercurius', () => mercurius] as const])(
      '%s works for the tenant of each request',
      async (_, make) => {
        const { url } = await serve(plain(make()), fastify!, (app) =>
          addFastifyHook(app, hook, connection),
        );
        expect(await askAll(url)).toEqual(own);
      },
    );
  },
);
