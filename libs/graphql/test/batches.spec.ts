// Batches of the default runtime: an array of operations in one POST.
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  getGraphqlAdapterToken,
  type GraphqlAdapter,
  type GraphqlContext,
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlMountOptions,
  GraphqlOptionError,
} from '@fledge/graphql';
import { ForbiddenException } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { manifestOf, persisted, sha256 } from './support/documents.js';
import { TenantsModule } from './support/feed.js';
import { call } from './support/requests.js';

afterEach(closeAll);

const typeDefs = `
  type Query { hello(name: String): String, tenant: String, fails: String, secret: String, slow: String, deep: Deep }
  type Deep { deep: Deep, end: String }
  type Mutation { go: Int }
  type Subscription { tick: Int }
`;
const rootValue = {
  hello: ({ name = 'world' }) => name,
  tenant: async (_args: object, { ctx }: GraphqlContext) => {
    await wait(1);
    return ctx.get('tenant');
  },
  fails: () => {
    throw new ForbiddenException('not yours');
  },
  secret: () => {
    throw new Error('password in the clear');
  },
  slow: async () => {
    await wait(20);
    return 'slow';
  },
  go: () => 1,
};

const HELLO = { data: { hello: 'world' } };

describe.each(platforms)('batches on $name', (platform) => {
  async function start(options: Partial<GraphqlMountOptions> = {}, batch = { limit: 5 }) {
    const { app, url } = await serve(
      {
        imports: [
          TenantsModule,
          GraphqlMountModule.forRoot({
            typeDefs,
            rootValue,
            runtime: graphqlHttp({ batch, eventStreams: true }),
            ...options,
          }),
        ],
      },
      platform,
    );
    const send = (body: unknown, headers: Record<string, string> = {}) =>
      call(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const counts = () =>
      app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false }).introspect().metrics;
    return { url: `${url}/graphql`, send, counts };
  }

  it.each([{}, { mountAs: 'route' }] as const)(
    'are answered in their order, each operation for the tenant of the request: %j',
    async (more) => {
      const { send, counts } = await start(more);
      const { status, type, body } = await send(
        [
          { query: '{ slow }' },
          { query: 'query($n: String) { hello(name: $n) }', variables: { n: 'ann' } },
          { query: 'query A { hello } query B { tenant }', operationName: 'B' },
          { query: 'mutation { go }' },
        ],
        { 'x-tenant-id': 'acme' },
      );
      expect([status, type]).toEqual([200, 'application/json']);
      expect(body).toEqual([
        { data: { slow: 'slow' } },
        { data: { hello: 'ann' } },
        { data: { tenant: 'acme' } },
        { data: { go: 1 } },
      ]);
      expect(counts()).toEqual({ queries: 3, mutations: 1, errors: 0 });
    },
  );

  it('give each operation its own errors, limits and counts', async () => {
    const { send, counts } = await start({ limits: { depth: 2 } }, { limit: 12 });
    const { status, body } = await send([
      { query: '{ hello }' },
      { query: '{ fails hello }' },
      { query: '{ nothing }' },
      { query: '{' },
      { query: '{ deep { deep { end } } }' },
      { query: 'subscription { tick }' },
      {},
      { query: '{ hello }', variables: 'none' },
      null,
      5,
      '{"query":"{ hello }"}',
      [{ query: '{ hello }' }],
    ]);
    expect(status).toBe(200);
    expect(body).toHaveLength(12);
    expect(body[0]).toEqual(HELLO);
    expect(body[1]).toMatchObject({
      data: { fails: null, hello: 'world' },
      errors: [{ message: 'not yours', extensions: { code: 'FORBIDDEN' } }],
    });
    expect(body[2].errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(body[3].errors[0].extensions.code).toBe('GRAPHQL_PARSE_FAILED');
    expect(body[4].errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
    expect(body[5].errors[0].message).toBe('Subscriptions are not supported');
    for (const answer of body.slice(6)) {
      expect(answer.errors).toHaveLength(1);
      expect(answer.data).toBeUndefined();
    }
    expect(counts()).toEqual({ queries: 2, mutations: 0, errors: 11 });
  });

  it('mask errors in production', async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      const { send } = await start();
      const { body } = await send([{ query: '{ secret }' }, { query: '{ hello }' }]);
      expect(body[0].errors[0].message).toBe('Internal server error');
      expect(JSON.stringify(body)).not.toMatch(/password|at .*:\d+:\d+/);
      expect(body[1]).toEqual(HELLO);
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });

  it('are refused with 422 above the limit, and if they are empty', async () => {
    const { send, counts } = await start({}, { limit: 2 });
    const one = { query: '{ hello }' };
    expect((await send([one, one])).body).toEqual([HELLO, HELLO]);
    const tooMany = await send([one, one, one]);
    expect(tooMany.status).toBe(422);
    expect(tooMany.body.errors).toMatchObject([
      {
        message: 'A batch may have at most 2 operations, but this batch has 3',
        extensions: { code: 'BAD_REQUEST' },
      },
    ]);
    expect((await send([])).status).toBe(422);
    expect(counts()).toEqual({ queries: 2, mutations: 0, errors: 2 });
  });

  it('use the media types of the request', async () => {
    const { url, send, counts } = await start();
    const batch = [{ query: '{ hello }' }, { query: '{ nothing }' }];
    const as = async (accept: string) => (await send(batch, { accept })).type;
    expect(await as('application/graphql-response+json')).toBe('application/graphql-response+json');
    expect(await as('application/json')).toBe('application/json');
    expect(await as('application/json, text/event-stream')).toBe('application/json');
    expect(counts()).toEqual({ queries: 3, mutations: 0, errors: 3 });
    expect((await send(batch, { accept: 'text/event-stream' })).status).toBe(406);
    expect((await send(batch, { accept: 'image/png' })).status).toBe(406);
    const text = await call(url, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify(batch),
    });
    expect(text.status).toBe(415);
    expect(counts()).toEqual({ queries: 3, mutations: 0, errors: 6 });
  });

  it('are not read from a GET', async () => {
    const { url } = await start();
    const batch = JSON.stringify([{ query: '{ hello }' }]);
    expect((await call(`${url}?${new URLSearchParams({ batch })}`)).status).toBe(422);
    const asQuery = await call(`${url}?${new URLSearchParams({ query: batch })}`);
    expect(asQuery.body.errors[0].extensions.code).toBe('GRAPHQL_PARSE_FAILED');
  });

  it('find documents by their ids, each operation its own', async () => {
    const trusted = await start({ documents: 'trusted', manifest: manifestOf('{ hello }') });
    const { body } = await trusted.send([
      { documentId: sha256('{ hello }') },
      { query: '{ hello }' },
      { documentId: 'none' },
    ]);
    expect(body[0]).toEqual(HELLO);
    expect(body[1].errors[0].extensions.code).toBe('DOCUMENT_NOT_TRUSTED');
    expect(body[2].errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');

    const automatic = await start({ documents: 'automatic' });
    const extensions = persisted('{ hello }');
    const first = await automatic.send([{ extensions }, { query: '{ tenant }' }]);
    expect(first.body[0].errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
    await automatic.send([{ extensions, query: '{ hello }' }]);
    expect((await automatic.send([{ extensions }])).body).toEqual([HELLO]);
  });

  it('leave single operations as they are', async () => {
    const { url, send } = await start();
    expect((await send({ query: '{ hello }' })).body).toEqual(HELLO);
    expect((await call(`${url}?query={hello}`)).body).toEqual(HELLO);
    const malformed = await call(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[{',
    });
    expect(malformed.status).toBe(400);
  });
});

describe('the option batch', () => {
  it('is off by default: a batch gets 422', async () => {
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ typeDefs, rootValue })] },
      platforms[0]!,
    );
    const { status } = await call(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ query: '{ hello }' }]),
    });
    expect(status).toBe(422);
  });

  it.each([{}, { limit: 0 }, { limit: 1.5 }, { limit: '5' }, { limit: null }, null, true])(
    'refuses %j',
    (batch) => {
      expect(() => graphqlHttp({ batch: batch as never })).toThrow(GraphqlOptionError);
    },
  );
});
