// Apollo answers from its response cache before resolvers, and so before guards, run.
import { ApolloServerPluginCacheControl } from '@apollo/server/plugin/cacheControl';
import responseCache from '@apollo/server-plugin-response-cache';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { Tenancy, TenantModule } from '@fledge/tenant';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import { closeAll, platforms, serve } from './support/platforms.js';
import { currentTenantId } from './support/served-tenants.js';

type CacheOptions = NonNullable<Parameters<typeof responseCache>[0]>;

const SUSPENDED = 'gone';
const stored = new Map<string, 'active' | 'suspended'>();

let made = 0;
beforeEach(() => {
  made = 0;
});
afterEach(closeAll);

@Resolver()
class NotesResolver {
  @Query(() => String)
  note() {
    return `${currentTenantId()} ${(made += 1)}`;
  }
}

/** Stands for middleware that authenticates. */
const userOf = (req: { headers: Record<string, unknown> }) =>
  req.headers['x-user'] as string | undefined;

/** The recipe of libs/tenant/docs/caching.md. */
const recipe = (tenancy: Tenancy): CacheOptions => ({
  extraCacheKeyData: () => Promise.resolve(tenancy.currentOrNull()?.tenantId ?? null),
  shouldReadFromCache({ contextValue }) {
    const tenantId = tenancy.currentOrNull()?.tenantId;
    const { req } = contextValue as { req: { headers: Record<string, unknown> } };
    return Promise.resolve(tenantId !== undefined && userOf(req) === tenantId);
  },
});

function appOf(options: (tenancy: Tenancy) => CacheOptions) {
  @Module({
    imports: [
      TenantModule.forRoot({
        strategy: 'header',
        verify: { principal: (req) => userOf(req) },
        // Read each time, so that a change is seen at once.
        cache: false,
        store: {
          find: (tenantId) => {
            const status = stored.get(tenantId);
            return status && { tenantId, status };
          },
        },
      }),
      GraphqlApolloModule.forRoot(),
      GraphQLModule.forRootAsync<ApolloDriverConfig>({
        driver: ApolloDriver,
        inject: [Tenancy],
        useFactory: (tenancy: Tenancy) => ({
          autoSchemaFile: true,
          context: GraphqlContextFactory.create,
          plugins: [
            ApolloServerPluginCacheControl({ defaultMaxAge: 60, calculateHttpHeaders: false }),
            responseCache(options(tenancy)),
          ],
        }),
      }),
    ],
    providers: [NotesResolver],
  })
  class AppModule {}
  return AppModule;
}

describe.each(platforms)("Apollo's response cache on $name", (platform) => {
  async function start(options: (tenancy: Tenancy) => CacheOptions) {
    for (const id of ['a', 'b', 'a.b', SUSPENDED]) stored.set(id, 'active');
    const { url } = await serve(appOf(options), platform);
    const ask = async (tenant?: string, user = tenant) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(tenant !== undefined && { 'x-tenant-id': tenant }),
          ...(user !== undefined && { 'x-user': user }),
        },
        body: '{"query":"{ note }"}',
      });
      const { data, errors } = (await response.json()) as Answer;
      return data?.note ?? errors?.[0]?.message;
    };
    return { ask, url };
  }

  it('answers a tenant with the body of another, without a key or with a session only', async () => {
    const plain = await start(() => ({}));
    expect([await plain.ask('a'), await plain.ask('b')]).toEqual(['a 1', 'a 1']);
    // An answer with the scope PUBLIC, the default, is shared by all sessions.
    const session = await start((tenancy) => ({
      sessionId: () => Promise.resolve(tenancy.currentOrNull()?.tenantId ?? null),
    }));
    expect([await session.ask('a'), await session.ask('b')]).toEqual(['a 2', 'a 2']);
  });

  it('answers a user of another tenant, whom `verify` would refuse, if only the key has the tenant', async () => {
    const { ask } = await start((tenancy) => ({
      extraCacheKeyData: () => Promise.resolve(tenancy.currentOrNull()?.tenantId),
    }));
    expect([await ask('a'), await ask('b'), await ask('a', 'b')]).toEqual(['a 1', 'b 2', 'a 1']);
  });

  it('keeps tenants and their users apart with the recipe', async () => {
    const { ask } = await start(recipe);
    const refused = expect.stringMatching(/does not belong|tenant/i);
    expect([await ask('a'), await ask('b'), await ask('a.b')]).toEqual(['a 1', 'b 2', 'a.b 3']);
    expect([await ask('a'), await ask('b'), await ask('a.b')]).toEqual(['a 1', 'b 2', 'a.b 3']);
    expect([await ask('a', 'b'), await ask('b', 'a'), await ask()]).toEqual([
      refused,
      refused,
      refused,
    ]);
    expect(await ask('a')).toBe('a 1');
  });

  it('reads the cache for authenticated users of active tenants only', async () => {
    const { ask } = await start(recipe);
    expect(await ask(SUSPENDED)).toBe('gone 1');
    expect(await ask(SUSPENDED, '')).toEqual(expect.not.stringContaining('gone 1'));
    stored.set(SUSPENDED, 'suspended');
    expect(await ask(SUSPENDED)).toEqual(expect.stringMatching(/suspended/i));
  });

  it('keeps concurrent tenants apart with the recipe', async () => {
    const { ask } = await start(recipe);
    const tenants = Array.from({ length: 90 }, (_, i) => ['a', 'b', 'a.b'][i % 3]!);
    const notes = await Promise.all(tenants.map((tenant) => ask(tenant)));
    expect(notes.map((note) => note?.split(' ')[0])).toEqual(tenants);
  });

  it('does not invite shared caches to keep answers', async () => {
    const { url } = await start(recipe);
    for (let i = 0; i < 2; i += 1) {
      const { headers } = await fetch(`${url}/graphql?query={note}`, {
        headers: { 'x-tenant-id': 'a', 'x-user': 'a', 'apollo-require-preflight': '1' },
      });
      expect(headers.get('cache-control') ?? '').not.toContain('public');
      expect(headers.get('vary')).toContain('x-tenant-id');
    }
  });
});

interface Answer {
  readonly data?: { readonly note: string };
  readonly errors?: readonly { readonly message: string }[];
}
