// Automatic persisted queries: the protocol of Apollo's clients, by requests and by Apollo Client itself.
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type DocumentStore,
  getGraphqlAdapterToken,
  type GraphqlAdapter,
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlMountOptions,
  GraphqlOptionError,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { manifestOf, persisted, sha256 } from './support/documents.js';
import { feed, TenantsModule } from './support/feed.js';
import { call } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';

afterEach(async () => {
  hangUp();
  await closeAll();
});

const HELLO = 'query Hello { hello }';
const WHO = '{ tenant }';
const SHOUT = 'mutation Shout { shout }';
const COUNT = 'subscription Count { count(to: 2) }';
const world = { status: 200, body: { data: { hello: 'world' } } };
const notFound = {
  status: 200,
  body: {
    errors: [
      { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
    ],
  },
};

const runtimes = [
  ['graphqlHttp()', {}],
  ['yoga()', { runtime: yoga() }],
] as const satisfies readonly (readonly [string, Partial<GraphqlMountOptions>])[];

/** A store as several processes share it, which lists its calls. */
function sharedStore() {
  const texts = new Map<string, string>();
  const calls: string[] = [];
  const store: DocumentStore = {
    get: async (hash) => {
      calls.push(`get ${hash}`);
      return Promise.resolve(texts.get(hash) ?? null);
    },
    set: async (hash, text) => {
      calls.push(`set ${hash}`);
      texts.set(hash, text);
      await Promise.resolve();
    },
  };
  return { texts, calls, store };
}

describe.each(platforms)('automatic persisted queries on $name', (platform) => {
  async function start(options: Partial<GraphqlMountOptions> = {}) {
    const { schema } = feed();
    const { app, url } = await serve(
      {
        imports: [
          TenantsModule,
          GraphqlMountModule.forRoot({ schema, documents: 'automatic', ...options }),
        ],
      },
      platform,
    );
    const graphql = `${url}/graphql`;
    const send = (body: object, headers: Record<string, string> = {}) =>
      call(graphql, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const get = (search: Record<string, string>) =>
      call(`${graphql}?${new URLSearchParams(search)}`);
    const counts = () =>
      app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false }).introspect().metrics;
    return { url: graphql, send, get, counts };
  }

  describe.each(runtimes)('of %s', (_name, runtime) => {
    it('are executed by their hash once a client has sent the text, with POST and GET', async () => {
      const { send, get, counts } = await start(runtime);
      const extensions = persisted(HELLO);
      const inUrl = { extensions: JSON.stringify(extensions) };
      expect(await send({ extensions })).toMatchObject(notFound);
      expect(await get(inUrl)).toMatchObject(notFound);
      expect(await send({ extensions, query: HELLO })).toMatchObject(world);
      expect(await send({ extensions })).toMatchObject(world);
      expect(await send({ extensions, query: '' })).toMatchObject(world);
      expect(await send({ extensions, query: HELLO })).toMatchObject(world);
      expect(await get(inUrl)).toMatchObject(world);
      expect(await send({ documentId: `sha256:${sha256(HELLO)}` })).toMatchObject(world);
      expect(counts()).toEqual({ queries: 6, mutations: 0, errors: 0 });
    });

    it('can be sent by GET the first time too, and a mutation still needs POST', async () => {
      const { send, get } = await start(runtime);
      const extensions = JSON.stringify(persisted(HELLO));
      expect(await get({ extensions, query: HELLO })).toMatchObject(world);
      expect(await get({ extensions })).toMatchObject(world);
      expect((await send({ extensions: persisted(SHOUT), query: SHOUT })).body).toEqual({
        data: { shout: 'HI' },
      });
      expect((await get({ extensions: JSON.stringify(persisted(SHOUT)) })).status).toBe(405);
    });

    it('are refused with a hash of another text, also a hash that is known', async () => {
      const { send, get } = await start(runtime);
      const mismatch = { extensions: persisted(HELLO), query: '{ hello user }' };
      const refused = {
        status: 400,
        body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_MISMATCH' } }] },
      };
      expect(await send(mismatch)).toMatchObject(refused);
      expect(await send({ extensions: persisted(HELLO) })).toMatchObject(notFound);
      expect(await send({ extensions: persisted(HELLO), query: HELLO })).toMatchObject(world);
      expect(await send(mismatch)).toMatchObject(refused);
      expect(
        await get({ ...mismatch, extensions: JSON.stringify(mismatch.extensions) }),
      ).toMatchObject(refused);
      expect(await send({ extensions: persisted(HELLO) })).toMatchObject(world);
    });

    it('answer malformed members with 400', async () => {
      const { send } = await start(runtime);
      await send({ extensions: persisted(HELLO), query: HELLO });
      const hash = sha256(HELLO);
      const bad = [
        { extensions: { persistedQuery: { version: 2, sha256Hash: hash } } },
        { extensions: { persistedQuery: { version: 2, sha256Hash: hash } }, query: HELLO },
        { extensions: { persistedQuery: { version: '1', sha256Hash: hash } } },
        { extensions: { persistedQuery: { version: 1, sha256Hash: 5 } } },
        { extensions: { persistedQuery: { version: 1, sha256Hash: [hash] } }, query: HELLO },
        { extensions: { persistedQuery: { version: 1, sha256Hash: '' } }, query: HELLO },
      ];
      for (const body of bad) {
        const { status, body: answer } = await send(body);
        expect([status, body]).toEqual([400, body]);
        expect(JSON.stringify(answer)).not.toMatch(/server|at .*:\d+:\d+/i);
      }
      // Neither a hash nor a text. Yoga answers that with 200.
      for (const persistedQuery of [{ version: 1 }, null, 'x', []]) {
        const { status, body } = await send({ extensions: { persistedQuery } });
        expect(status).toBeLessThan(500);
        expect(body.errors).toHaveLength(1);
      }
      for (const sha256Hash of ['x', '__proto__', hash.toUpperCase(), 'a'.repeat(10_000)]) {
        const extensions = { persistedQuery: { version: 1, sha256Hash } };
        expect(await send({ extensions })).toMatchObject(notFound);
      }
    });

    it('are not remembered if they do not parse, are invalid or exceed a limit', async () => {
      const { store, calls } = sharedStore();
      const limits = { depth: 3, aliases: 2 };
      const { send } = await start({ ...runtime, documentStore: store, limits });
      for (const query of ['{', '{ nothing }', '{ a: hello b: hello c: hello }']) {
        const { body } = await send({ extensions: persisted(query), query });
        expect(body.errors).toHaveLength(1);
        expect(await send({ extensions: persisted(query) })).toMatchObject(notFound);
      }
      expect(calls.filter((each) => each.startsWith('set'))).toEqual([]);
    });

    it('run for each client that sends the hash, with the tenant of its request', async () => {
      const { send } = await start(runtime);
      const extensions = persisted(WHO);
      const as = (tenant: string) => ({ 'x-tenant-id': tenant });
      const first = await send({ extensions, query: WHO }, as('acme'));
      expect(first.body).toEqual({ data: { tenant: 'acme' } });
      const second = await send({ extensions }, as('umbrella'));
      expect(second.body).toEqual({ data: { tenant: 'umbrella' } });
    });

    it('are shared by processes through a store, which is read once', async () => {
      const { store, calls } = sharedStore();
      const extensions = persisted(HELLO);
      const one = await start({ ...runtime, documentStore: store });
      expect(await one.send({ extensions, query: HELLO })).toMatchObject(world);
      const other = await start({ ...runtime, documentStore: store });
      expect(await other.send({ extensions })).toMatchObject(world);
      expect(await other.send({ extensions })).toMatchObject(world);
      expect(calls).toEqual([`set ${sha256(HELLO)}`, `get ${sha256(HELLO)}`]);
    });

    it('are asked for again if the store fails or has another text', async () => {
      const stores: DocumentStore[] = [
        {
          get: () => {
            throw new Error('secret');
          },
          set: () => {
            throw new Error('secret');
          },
        },
        {
          get: async () => Promise.reject(new Error('secret')),
          set: async () => Promise.reject(new Error('secret')),
        },
        { get: () => '{ user }', set: () => undefined },
        { get: () => 5 as never, set: () => undefined },
      ];
      const extensions = persisted(HELLO);
      await Promise.all(
        stores.map(async (documentStore) => {
          const { send } = await start({ ...runtime, documentStore });
          expect(await send({ extensions })).toMatchObject(notFound);
          expect(await send({ extensions, query: HELLO })).toMatchObject(world);
          // From memory now.
          expect(await send({ extensions })).toMatchObject(world);
        }),
      );
    });

    it('may stand beside a manifest, and work as a route', async () => {
      const { send } = await start({
        ...runtime,
        mountAs: 'route',
        manifest: manifestOf(HELLO),
      });
      expect(await send({ documentId: sha256(HELLO) })).toMatchObject(world);
      expect(await send({ query: HELLO })).toMatchObject(world);
      expect(await send({ extensions: persisted(WHO) })).toMatchObject(notFound);
      const { body } = await send({ extensions: persisted(WHO), query: WHO });
      expect(body).toEqual({ data: { tenant: 'nobody' } });
      expect((await send({ extensions: persisted(WHO) })).body).toEqual(body);
    });

    it('are what Apollo Client sends', async () => {
      const { url, counts } = await start(runtime);
      const sent: { method: string | undefined; text: boolean }[] = [];
      const client = new ApolloClient({
        cache: new InMemoryCache(),
        link: new PersistedQueryLink({ sha256, useGETForHashedQueries: true }).concat(
          new HttpLink({
            uri: url,
            fetch: (input, init) => {
              const request = `${JSON.stringify(input)}${JSON.stringify(init?.body ?? '')}`;
              sent.push({ method: init?.method, text: request.includes('hello') });
              return fetch(input, init);
            },
          }),
        ),
      });
      const ask = () =>
        client.query({
          query: gql`
            query Apollo {
              hello
            }
          `,
          fetchPolicy: 'network-only',
        });
      expect((await ask()).data).toEqual({ hello: 'world' });
      expect((await ask()).data).toEqual({ hello: 'world' });
      expect(sent).toEqual([
        { method: 'GET', text: false },
        { method: 'POST', text: true },
        { method: 'GET', text: false },
      ]);
      expect(counts()).toEqual({ queries: 2, mutations: 0, errors: 0 });
      client.stop();
    });
  });

  it.each([
    [
      'of a mount',
      (schema: GraphqlMountOptions['schema']) =>
        GraphqlMountModule.forRoot({
          schema: schema!,
          subscriptions: { operations: 'all' },
          documents: 'automatic',
        }),
    ],
    [
      'of a module',
      (schema: GraphqlMountOptions['schema']) =>
        GraphqlSubscriptionsModule.forRoot({
          schema: schema as never,
          operations: 'all',
          documents: 'automatic',
        }),
    ],
  ])('work on sockets %s, with an empty text', async (_name, module) => {
    const { url } = await serve({ imports: [module(feed().schema)] }, platform);
    const wire = await Wire.connect(`${url}/graphql`);
    wire.subscribe('1', '', { extensions: persisted(COUNT) });
    const { payload } = await wire.answer('1');
    expect(payload[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
    wire.subscribe('2', COUNT, { extensions: persisted(COUNT) });
    expect(await wire.events('2', 2)).toEqual([{ count: 1 }, { count: 2 }]);
    wire.subscribe('3', '', { extensions: persisted(COUNT) });
    expect(await wire.events('3', 2)).toEqual([{ count: 1 }, { count: 2 }]);
    wire.subscribe('4', HELLO, { extensions: persisted(COUNT) });
    expect((await wire.answer('4')).payload[0].extensions.code).toBe('PERSISTED_QUERY_MISMATCH');
    wire.subscribe('5', HELLO);
    expect(await wire.events('5', 1)).toEqual([{ hello: 'world' }]);
  });

  it('work with event streams', async () => {
    const { send, url } = await start({ runtime: graphqlHttp({ eventStreams: true }) });
    const extensions = JSON.stringify(persisted(COUNT));
    const listen = async (search: Record<string, string>) => {
      const headers = { accept: 'text/event-stream' };
      const response = await fetch(`${url}?${new URLSearchParams(search)}`, { headers });
      return { status: response.status, text: await response.text() };
    };
    const first = await listen({ extensions });
    expect(first.status).toBe(200);
    expect(first.text).toContain('PERSISTED_QUERY_NOT_FOUND');
    expect((await listen({ extensions, query: COUNT })).text).toContain('"count":2');
    expect((await listen({ extensions })).text).toContain('"count":2');
    expect((await listen({ extensions, query: HELLO })).status).toBe(400);
    expect((await send({ query: HELLO })).body).toEqual(world.body);
  });

  it('are asked for again if the store does not answer', async () => {
    const silent = () => new Promise<string>(() => undefined);
    const { send } = await start({ documentStore: { get: silent, set: silent } });
    const extensions = persisted(HELLO);
    expect(await send({ extensions })).toMatchObject(notFound);
    expect(await send({ extensions, query: HELLO })).toMatchObject(world);
    expect(await send({ extensions })).toMatchObject(world);
  });

  it('ask a failing store of event streams without an answer of 500', async () => {
    const documentStore = {
      get: () => Promise.reject(new Error('secret')),
      set: () => undefined,
    };
    const runtime = graphqlHttp({ eventStreams: true });
    const { url } = await start({ runtime, documentStore });
    const search = new URLSearchParams({ extensions: JSON.stringify(persisted(COUNT)) });
    const response = await fetch(`${url}?${search}`, { headers: { accept: 'text/event-stream' } });
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('secret');
  });
});

describe('the memory of automatic persisted queries', () => {
  it('is bounded in bytes: the documents used last remain', async () => {
    const { store, calls } = sharedStore();
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { hello(text: String): String }',
            rootValue: { hello: 'world' },
            documents: 'automatic',
            documentStore: store,
          }),
        ],
      },
      platforms[0]!,
    );
    const send = (body: object) =>
      call(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    // 16 MiB hold 100 of these, with two bytes for each character.
    const texts = Array.from(
      { length: 120 },
      (_, i) => `{ hello(text: "${String(i).padStart(80_000, '-')}") }`,
    );
    for (const query of texts) {
      await send({ query, extensions: persisted(query) });
      await send({ extensions: persisted(texts[0]!) });
    }
    await until(() => calls.length === texts.length);
    expect(calls.every((each) => each.startsWith('set'))).toBe(true);
    expect((await send({ extensions: persisted(texts[1]!) })).body).toEqual(world.body);
    expect((await send({ extensions: persisted(texts[119]!) })).body).toEqual(world.body);
    expect(calls.slice(120)).toEqual([`get ${sha256(texts[1]!)}`]);
  });
});

describe('the option documentStore', () => {
  const { store } = sharedStore();

  it.each([
    [{ documentStore: store }, /Enable them: documents: 'automatic'/],
    [
      { documents: 'automatic', documentStore: {} },
      /documentStore \}\) is an object, but must be an object with get\(\) and set\(\) functions/,
    ],
    [
      { documents: 'automatic', documentStore: null },
      /documentStore \}\) is null, but must be an object with/,
    ],
    [
      { documents: 'automatic', documentStore: { get: store.get } },
      /must be an object with get\(\) and set\(\) functions/,
    ],
    [{ documents: 'auto' }, /must be 'trusted' or 'automatic'/],
    [
      { documents: 'automatic', runtime: () => () => undefined },
      /its runtime cannot find documents by id/,
    ],
  ])('is checked at boot: %j', async (options, fault) => {
    const booted = serve(
      { imports: [GraphqlMountModule.forRoot({ schema: feed().schema, ...(options as object) })] },
      platforms[0]!,
    );
    await expect(booted).rejects.toThrow(GraphqlOptionError);
    await expect(booted).rejects.toThrow(fault);
  });
});
