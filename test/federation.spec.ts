// A gateway composes three subgraphs: a mount, a mount on Yoga, and Apollo's federation driver. Each resolves
// references for the tenant and the user that the gateway forwards.
import { getGraphqlAdapterToken, type GraphqlAdapter, type GraphqlContext } from '@fledge/graphql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type Provider,
  Scope,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { GqlExecutionContext } from '@nestjs/graphql';
import type { ASTVisitor } from 'graphql';
import { call, closeAll, createApp, platforms, post, serve } from './support/platforms.js';
import { serveFederation } from './support/serve-federation.js';
import { batches, decorated, names, type Subgraph, subgraph } from './support/subgraphs.js';

beforeEach(() => {
  batches.length = 0;
  decorated.count = 0;
});

interface Caller {
  readonly tenant?: string;
  readonly user?: string;
}

async function ask(url: string, query: string, { tenant, user }: Caller, variables?: object) {
  const init = post({ query, variables });
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (tenant !== undefined) headers['x-tenant-id'] = tenant;
  if (user !== undefined) headers['x-user'] = user;
  const { status, body } = await call(url, { ...init, headers });
  return { status, ...(body as Answer) };
}

interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { message: string; extensions: Record<string, unknown> }[];
}

const LIST = 'query ($count: Int!) { products(count: $count) { id soldTo inStock reviewedBy } }';
const ENTITIES =
  'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Product { id } } }';

const productsFor = (tenant: string, user: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: String(i),
    soldTo: `${tenant} ${user}`,
    inStock: `${tenant} ${user} ${i}`,
    reviewedBy: `${tenant} ${user}, ${tenant} ${user} ${i}, ${tenant} ${user}`,
  }));

const representationsOf = (count: number, from = 0) => ({
  representations: Array.from({ length: count }, (_, i) => ({
    __typename: 'Product',
    id: String(i + from),
  })),
});

const countsOf = ({ services }: Awaited<ReturnType<typeof serveFederation>>) =>
  services.map(({ app }) => {
    const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false });
    return adapter.introspect().metrics;
  });

const codesOf = ({ errors = [] }: Answer) => errors.map(({ extensions }) => extensions['code']);

describe.each(platforms)('three subgraphs behind a gateway on $name', (platform) => {
  let federation: Awaited<ReturnType<typeof serveFederation>>;
  beforeAll(async () => void (federation = await serveFederation(platform)));
  afterAll(closeAll);

  it('resolve a list by references: one request, one batch and one run of context decorators for each', async () => {
    const { url } = federation;
    const before = countsOf(federation);
    const { data } = await ask(url, LIST, { tenant: 'acme', user: 'ada@acme' }, { count: 20 });
    expect(data).toEqual({ products: productsFor('acme', 'ada@acme', 20) });
    const ids = Array.from({ length: 20 }, (_, i) => i).join();
    expect(batches).toEqual([`acme ${ids}`, `acme ${ids}`]);
    expect(decorated.count).toBe(3);
    const mutation = await ask(url, 'mutation { buy }', { tenant: 'acme', user: 'ada@acme' });
    expect(mutation.data).toEqual({ buy: 'acme ada@acme' });
    const counts = countsOf(federation).map(({ queries, mutations, errors }, i) => [
      queries - before[i]!.queries,
      mutations - before[i]!.mutations,
      errors - before[i]!.errors,
    ]);
    expect(counts).toEqual([
      [1, 1, 0],
      [1, 0, 0],
      [1, 0, 0],
    ]);
  });

  it('answer 120 interleaved requests of two tenants each for their own tenant and user', async () => {
    const { url } = federation;
    const callers = Array.from({ length: 120 }, (_, i) => {
      const tenant = i % 2 === 0 ? 'acme' : 'globex';
      return { tenant, user: `user${i}@${tenant}` };
    });
    const answers = await Promise.all(
      callers.map((caller) => ask(url, LIST, caller, { count: 3 })),
    );
    expect(answers.map(({ data }) => data)).toEqual(
      callers.map(({ tenant, user }) => ({ products: productsFor(tenant, user, 3) })),
    );
    expect(batches).toHaveLength(2 * callers.length);
  });

  it('refuse callers with the error of the subgraph, through the gateway and for references', async () => {
    const { url, services } = federation;
    const refused: [Caller, string][] = [
      [{}, 'TENANT_NOT_RESOLVED'],
      [{ tenant: 'unknown' }, 'TENANT_UNKNOWN'],
      [{ tenant: 'late' }, 'TENANT_SUSPENDED'],
      [{ tenant: 'a b' }, 'TENANT_INVALID'],
      [{ tenant: 'globex', user: 'ada@acme' }, 'TENANT_MISMATCH'],
    ];
    for (const [caller, code] of refused) {
      for (const query of ['{ products(count: 1) { id } }', '{ lastReviewed { id } }']) {
        const answer = await ask(url, query, caller);
        expect([answer.data, codesOf(answer)]).toEqual([null, [code]]);
        expect(JSON.stringify(answer)).not.toContain('127.0.0.1');
      }
      for (const service of services) {
        const answer = await ask(service.url, ENTITIES, caller, representationsOf(2));
        expect([service.name, codesOf(answer)]).toEqual([service.name, [code]]);
        expect(answer.data ?? null).toBe(null);
      }
    }
    expect(batches).toEqual([]);
  });

  it.each(names)(
    'answer references that are no entities with errors, without a stack: %s',
    async (name) => {
      const { url } = federation.services.find((service) => service.name === name)!;
      const hostile: unknown[] = [
        [{ __typename: 'Nothing', id: '1' }],
        [{ __typename: '__proto__', id: '1' }],
        [{ __typename: 'Query' }],
        [{ id: '1' }],
        [null],
        ['Product'],
        'Product',
        { __typename: { nested: true } },
        [[[]]],
      ];
      for (const representations of hostile) {
        const answer = await ask(url, ENTITIES, { tenant: 'acme' }, { representations });
        expect([representations, answer.status < 500, answer.errors?.length]).toEqual([
          representations,
          true,
          1,
        ]);
        expect(JSON.stringify(answer)).not.toMatch(/node_modules|\.js:\d/);
      }
    },
  );
});

describe.each(platforms)('a subgraph on $name', (platform) => {
  afterEach(closeAll);

  const start = async (name: Subgraph, options = {}, providers: Provider[] = []) => {
    const { providers: own = [], ...module } = subgraph(name, options);
    const { app, url } = await serve(
      { ...module, providers: [...own, ...providers] },
      platform,
      undefined,
      { forceCloseConnections: true },
    );
    const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false });
    return { app, adapter, url: `${url}/graphql` };
  };

  it('is composed with introspection off: _service answers, __schema does not', async () => {
    const { url, services } = await serveFederation(platform, { introspection: false });
    const caller = { tenant: 'acme', user: 'ada@acme' };
    const { data } = await ask(url, LIST, caller, { count: 2 });
    expect(data).toEqual({ products: productsFor('acme', 'ada@acme', 2) });
    for (const service of services) {
      const { data: found } = await ask(service.url, '{ _service { sdl } }', caller);
      const { sdl } = (found as { _service: { sdl: string } })._service;
      expect(sdl).toMatch(/type Product\s+@key\(fields: "id"\)/);
      const { errors } = await ask(service.url, '{ __schema { types { name } } }', caller);
      expect(errors?.[0]?.message).toMatch(/introspection/i);
    }
  });

  it.each(['products', 'stock'] as const)(
    'parses and validates a document of the gateway once, because references are variables: %s',
    async (name) => {
      const runs = { count: 0 };
      const counting = (): ASTVisitor => ({ Document: () => void (runs.count += 1) });
      const { url, adapter } = await start(name, { validationRules: [counting] });
      for (let i = 0; i < 50; i += 1) {
        const answer = await ask(url, ENTITIES, { tenant: 'acme' }, representationsOf(2, i));
        expect(answer.data).toEqual({ _entities: [{ id: `${i}` }, { id: `${i + 1}` }] });
      }
      expect(runs.count).toBe(1);
      // References are no part of the document, which maxTokens limits.
      const many = await ask(url, ENTITIES, { tenant: 'acme' }, representationsOf(2000));
      expect((many.data as { _entities: unknown[] })._entities).toHaveLength(2000);
      expect(adapter.introspect().metrics).toEqual({ queries: 51, mutations: 0, errors: 0 });
    },
  );

  it('refuses the operations of a gateway with trusted documents', async () => {
    const { url } = await start('products', {
      documents: 'trusted',
      manifest: { id: '{ refused }' },
    });
    for (const query of ['{ _service { sdl } }', ENTITIES]) {
      const answer = await ask(url, query, { tenant: 'acme' }, representationsOf(1));
      expect([answer.status, codesOf(answer)]).toEqual([400, ['DOCUMENT_NOT_TRUSTED']]);
    }
  });
});

describe.each(platforms)('the federation driver on $name', (platform) => {
  afterEach(closeAll);
  const seen: string[] = [];
  beforeEach(() => void (seen.length = 0));

  @Injectable()
  class Recording implements CanActivate {
    canActivate(execution: ExecutionContext) {
      seen.push(`${execution.getClass().name}.${execution.getHandler().name}`);
      return GqlExecutionContext.create(execution).getContext<GraphqlContext>().ctx !== undefined;
    }
  }

  @Injectable({ scope: Scope.REQUEST })
  class PerRequest extends Recording {}

  const boot = async (guard: Provider, options = {}) => {
    const { providers = [], ...module } = subgraph('reviews', options);
    const app = await createApp(
      { ...module, providers: [...providers, guard] },
      platform.adapter(),
      { forceCloseConnections: true },
    );
    await app.listen(0, '127.0.0.1');
    return `${await app.getUrl()}/graphql`;
  };

  it('runs global guards once for the references of an operation', async () => {
    const url = await boot({ provide: APP_GUARD, useClass: Recording });
    const { data } = await ask(url, ENTITIES, { tenant: 'acme' }, representationsOf(3));
    expect(data).toEqual({ _entities: [{ id: '0' }, { id: '1' }, { id: '2' }] });
    expect(seen).toEqual(['FederatedEntities._entities']);
  });

  const listed = { fieldResolverEnhancers: ['guards', 'interceptors'] };

  it('runs them for each reference if fieldResolverEnhancers lists them', async () => {
    const url = await boot({ provide: APP_GUARD, useClass: Recording }, listed);
    const { data } = await ask(url, ENTITIES, { tenant: 'acme' }, representationsOf(3));
    expect(data).toEqual({ _entities: [{ id: '0' }, { id: '1' }, { id: '2' }] });
    expect(seen).toEqual(Array(3).fill('ProductResolver.resolveReference'));
    expect(batches).toEqual(['acme 0,1,2']);
    const refused = await ask(
      url,
      ENTITIES,
      { tenant: 'globex', user: 'a@acme' },
      representationsOf(1),
    );
    expect(codesOf(refused)).toEqual(['TENANT_MISMATCH']);
  });

  it('refuses a global request-scoped guard, which would not run for references', async () => {
    const guard = { provide: APP_GUARD, useClass: PerRequest };
    await expect(boot(guard)).rejects.toMatchObject({
      code: 'GRAPHQL_BAD_OPTION',
      message: expect.stringContaining('fieldResolverEnhancers'),
    });
    const url = await boot(guard, listed);
    await ask(url, ENTITIES, { tenant: 'acme' }, representationsOf(2));
    expect(seen).toEqual(Array(2).fill('ProductResolver.resolveReference'));
  });
});
