// Requests that Yoga alone answers in another way than the mount promises.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  getGraphqlAdapterToken,
  type GraphqlAdapter,
  GraphqlMountModule,
  type GraphqlMountOptions,
} from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { buildSchema, GraphQLError, GraphQLScalarType, type GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { FastifyInstance } from 'fastify';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { persisted, sha256 } from './support/documents.js';
import { call } from './support/requests.js';
import { openStream } from './support/streams.js';

afterEach(closeAll);

function schemaOf(): GraphQLSchema {
  const schema = buildSchema(
    'scalar Any type Query { hello: String, any: Any } type Subscription { ticks: Int, anys: Any }',
  );
  (schema.getType('Any') as GraphQLScalarType).serialize = (value) => value;
  return schema;
}
const rootValue = {
  hello: 'world',
  any: () => 10n,
  async *ticks() {
    yield await Promise.resolve({ ticks: 1 });
  },
  async *anys() {
    for (const anys of [1, 10n, 3]) yield await Promise.resolve({ anys });
  },
};
const HELLO = { data: { hello: 'world' } };
const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(
  platforms.flatMap((platform) =>
    (['middleware', 'route'] as const).map((mountAs) => ({
      name: `as ${mountAs} on ${platform.name}`,
      platform,
      mountAs,
    })),
  ),
)('yoga() $name', ({ platform, mountAs }) => {
  const start = async (more: Partial<GraphqlMountOptions> = {}) => {
    const { app, url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            schema: schemaOf(),
            rootValue,
            runtime: yoga({ batching: { limit: 5 } }),
            mountAs,
            ...more,
          }),
        ],
      },
      platform,
    );
    const counts = () =>
      app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false }).introspect().metrics;
    const post = (body: unknown) =>
      call(`${url}/graphql`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
    return { url: `${url}/graphql`, counts, post };
  };

  it.each(['variables', 'extensions'])('refuses malformed %s in a URL with 400', async (name) => {
    const { url, counts } = await start();
    const { status, body } = await call(`${url}?query={hello}&${name}=%7B`);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        message: `The parameter "${name}" is not valid JSON`,
        extensions: expect.objectContaining({ code: 'BAD_REQUEST' }),
      },
    ]);
    expect(counts().errors).toBe(1);
    expect((await call(`${url}?query={hello}&${name}=%7B%7D`)).body).toEqual(HELLO);
  });

  it('rejects a malformed host without a stack', async () => {
    const { url } = await start();
    const { hostname, port } = new URL(url);
    const body = JSON.stringify({ query: '{ hello }' });
    const length = { 'content-length': String(body.length) };
    const sent = request({
      ...{ hostname, port, method: 'POST', path: '/graphql' },
      headers: { ...JSON_TYPE, ...length, host: 'a b:::' },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, await text(response)]).toEqual([
      400,
      expect.stringMatching(/^\{"errors":\[\{"message":"The header Host is malformed"/),
    ]);
  });

  it('refuses members of a batch that are no operations', async () => {
    const { post } = await start();
    for (const odd of [null, 1, 'x']) {
      const { body } = await post([odd]);
      expect([odd, JSON.stringify(body)]).toEqual([odd, expect.stringContaining('BAD_REQUEST')]);
      expect(JSON.stringify(body)).not.toMatch(/INTERNAL|properties of null/);
    }
  });

  it('refuses a subscription in a batch, with an error of its own', async () => {
    const { post, counts } = await start();
    const { body } = await post([{ query: 'subscription { ticks }' }, { query: '{ hello }' }]);
    expect(body).toEqual([{ errors: [{ message: 'Subscriptions are not supported' }] }, HELLO]);
    expect(counts().errors).toBe(1);
  });

  it('lets no cache keep that a document is unknown', async () => {
    const { url } = await start({ documents: 'automatic' });
    const members = new URLSearchParams({
      extensions: JSON.stringify(persisted(sha256('{ hello }'))),
    });
    const response = await fetch(`${url}?${members}`, { headers: { 'x-graphql-yoga-csrf': '1' } });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await response.text()).toContain('PERSISTED_QUERY_NOT_FOUND');
  });

  it('lets a plugin find the document of a persisted operation', async () => {
    const persistedOperations: Plugin = {
      onParams: ({ params, setParams }) => {
        if (params.query) throw new GraphQLError('PersistedQueryOnly');
        const { persistedQuery } = params.extensions as ReturnType<typeof persisted>;
        if (persistedQuery.sha256Hash === 'hello') setParams({ ...params, query: '{ hello }' });
      },
    };
    const { post, counts } = await start({ runtime: yoga({ plugins: [persistedOperations] }) });
    expect((await post({ extensions: persisted('', 'hello') })).body).toEqual(HELLO);
    expect(counts().errors).toBe(0);
    const unknown = await post({ extensions: persisted('', 'unknown') });
    expect([unknown.status, unknown.body.errors[0].message]).toEqual([
      200,
      'PersistedQueryNotSupported',
    ]);
    expect(counts().errors).toBe(0);
    const refused = await post({ query: '{ hello }' });
    expect(refused.body.errors).toEqual([{ message: 'PersistedQueryOnly' }]);
    expect(counts()).toEqual({ queries: 1, mutations: 0, errors: 1 });
  });

  it('writes an error for a value that JSON cannot represent', async () => {
    const { url, counts } = await start();
    const stream = await openStream(url, 'subscription { anys }');
    await stream.ended;
    const events = [...stream.text().matchAll(/^data: (.+)$/gm)].map(
      ([, data]) => JSON.parse(data!) as object,
    );
    expect(events).toEqual([
      { data: { anys: 1 } },
      { errors: [expect.objectContaining({ message: expect.stringContaining('BigInt') })] },
      { data: { anys: 3 } },
    ]);
    expect(stream.text()).toContain('event: complete');
    expect(counts().errors).toBe(1);
    const once = await openStream(url, '{ any }');
    await once.ended;
    expect(once.text()).toContain('BigInt');
    expect((await call(`${url}?query={hello}`)).body).toEqual(HELLO);
  });
});

it('yoga() serves each spelling of its path that Express routes to it', async () => {
  const { url } = await serve(
    { imports: [GraphqlMountModule.forRoot({ schema: schemaOf(), rootValue, runtime: yoga() })] },
    platforms[0]!,
  );
  expect((await call(`${url}/GraphQL?query={hello}`)).body).toEqual(HELLO);
  expect((await call(`${url}/graphql/?query={hello}`)).body).toEqual(HELLO);
  const search = 'variables={"s":"why?"}&query={hello}';
  expect((await call(`${url}/GraphQL?${search}`)).body).toEqual(HELLO);
});

it.each([
  ['Express', false, 200],
  ['Fastify', true, 200],
  // Fastify rejects types without a parser before the route.
  ['Fastify', false, 415],
])('a form to yoga() as a route on %s, parser %s: %i', async (name, hasParser, status) => {
  const multipart = 'multipart/form-data';
  const runtime = yoga({ contentTypes: ['application/json', multipart], multipart: true });
  const options = { schema: schemaOf(), rootValue, runtime, mountAs: 'route' as const };
  const platform = platforms.find((each) => each.name === name)!;
  const imports = [GraphqlMountModule.forRoot(options)];
  const { url } = await serve({ imports }, platform, (app) => {
    const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
    if (hasParser) fastify.addContentTypeParser(multipart, (_request, _body, done) => done(null));
  });
  const body = new FormData();
  body.set('operations', '{"query":"{ hello }"}');
  body.set('map', '{}');
  const sent = await call(`${url}/graphql`, { method: 'POST', body });
  expect(sent.status).toBe(status);
  if (status === 200) expect(sent.body).toEqual(HELLO);
});

// A body that Yoga reads itself, with a content length and without.
it.each(
  platforms.flatMap((platform) => [true, false].map((hasLength) => ({ platform, hasLength }))),
)('limits forms on $platform.name, content length: $hasLength', async ({ platform, hasLength }) => {
  const start = async (more: Partial<GraphqlMountOptions>, size?: number) => {
    const runtime = yoga({
      contentTypes: ['application/json', 'multipart/form-data'],
      ...(size !== undefined && { maxRequestBodySize: size }),
    });
    const options = { schema: schemaOf(), rootValue, runtime, ...more };
    const { url } = await serve({ imports: [GraphqlMountModule.forRoot(options)] }, platform);
    return `${url}/graphql`;
  };
  const send = async (url: string, bytes: number) => {
    const form = new FormData();
    form.set('operations', '{"query":"{ hello }"}');
    form.set('map', '{}');
    form.set('0', new Blob(['x'.repeat(bytes)]), 'a.txt');
    const encoded = new Response(form);
    const body = hasLength ? await encoded.arrayBuffer() : encoded.body;
    const headers = { 'content-type': encoded.headers.get('content-type')! };
    const sent = await call(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    return [sent.status, sent.body.data ?? sent.body.errors[0].message];
  };
  const small = await start({ maxBodyBytes: 10_000 });
  expect(await send(small, 1_000)).toEqual([200, { hello: 'world' }]);
  expect(await send(small, 200_000)).toEqual([413, 'The body is larger than 10000 bytes']);
  expect(await send(small, 1_000)).toEqual([200, { hello: 'world' }]);
  const byDefault = await start({});
  expect(await send(byDefault, 1_100_000)).toEqual([413, 'The body is larger than 1048576 bytes']);
  const large = await start({ maxBodyBytes: 10_000 }, 300_000);
  expect(await send(large, 200_000)).toEqual([200, { hello: 'world' }]);
});
