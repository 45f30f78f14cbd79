import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getGraphqlAdapterToken, type GraphqlAdapter, GraphqlMountModule } from '@fledge/graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { postLarge } from '../../../test/support/post-large.js';
import { call, query } from './support/requests.js';

// What clients meet at the endpoint: GraphQL over HTTP, https://graphql.github.io/graphql-over-http/draft/

afterEach(closeAll);

const schema = {
  typeDefs: 'type Query { hello(name: String): String } type Mutation { go: Int }',
  rootValue: { hello: ({ name = 'world' }) => name, go: () => 1 },
};
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (body: BodyInit, headers: Record<string, string> = JSON_TYPE): RequestInit => ({
  method: 'POST',
  headers,
  body,
});

const places = platforms.flatMap((platform) =>
  (['middleware', 'route'] as const).map((mountAs) => ({
    name: `${platform.name} as ${mountAs}`,
    platform,
    mountAs,
  })),
);

describe.each(places)('the protocol on $name', ({ platform, mountAs }) => {
  const isExpress = platform.name === 'Express';
  const open = async (options: object = {}) => {
    const { app, url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...schema, mountAs, ...options })] },
      platform,
    );
    const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false });
    return { endpoint: `${url}/graphql`, metrics: () => adapter.introspect().metrics };
  };

  it('accepts queries by GET and POST, with variables', async () => {
    const { endpoint } = await open();
    const search = new URLSearchParams({
      query: 'query ($n: String) { hello(name: $n) }',
      variables: '{"n":"ann"}',
    });
    expect((await call(`${endpoint}?${search}`)).body).toEqual({ data: { hello: 'ann' } });
    const answer = await query(
      endpoint,
      'query ($n: String) { hello(name: $n) }',
      {},
      { n: 'bob' },
    );
    expect(answer.body).toEqual({ data: { hello: 'bob' } });
  });

  it('answers with the media type the client accepts', async () => {
    const { endpoint } = await open();
    const accept = 'application/graphql-response+json';
    const good = await query(endpoint, '{ hello }', { accept });
    expect([good.status, good.type]).toEqual([200, accept]);
    const bad = await query(endpoint, '{ nope }', { accept });
    expect([bad.status, bad.type]).toEqual([422, accept]);
    expect((await query(endpoint, '{ nope }')).status).toBe(200);
    expect((await query(endpoint, '{ hello }', { accept: 'text/html' })).status).toBe(406);
  });

  it('refuses mutations by GET and accepts them by POST', async () => {
    const { endpoint, metrics } = await open();
    expect((await call(`${endpoint}?query=${encodeURIComponent('mutation { go }')}`)).status).toBe(
      405,
    );
    expect((await query(endpoint, 'mutation { go }')).body).toEqual({ data: { go: 1 } });
    expect(metrics()).toEqual({ queries: 0, mutations: 1, errors: 1 });
  });

  it('refuses requests that browsers send without a preflight', async () => {
    const { endpoint, metrics } = await open();
    const body = '{"query":"mutation { go }"}';
    const form = new URLSearchParams({ query: 'mutation { go }' });
    const multipart = new FormData();
    multipart.set('query', 'mutation { go }');
    for (const init of [
      post(body, { 'content-type': 'text/plain' }),
      post(form, {}),
      post(multipart, {}),
    ]) {
      expect((await call(endpoint, init)).status).toBe(415);
    }
    expect(metrics().mutations).toBe(0);
  });

  it('refuses batches', async () => {
    const { endpoint, metrics } = await open();
    const answer = await call(endpoint, post('[{"query":"{ hello }"},{"query":"{ hello }"}]'));
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [{ message: 'JSON body must be an object', extensions: { code: 'BAD_REQUEST' } }],
    ]);
    expect(metrics()).toEqual({ queries: 0, mutations: 0, errors: 1 });
  });

  it.each([
    ['half an object', '{"query":', 400],
    ['a bare word', 'hello', 400],
    ['nothing', '', 400],
    // Express' parser refuses values that are no object or list.
    ['a number', '7', isExpress ? 400 : 422],
    ['null', 'null', isExpress ? 400 : 422],
    ['no query', '{}', 422],
    ['a query that is no text', '{"query":{}}', 422],
    ['variables that are no object', '{"query":"{ hello }","variables":"x"}', 422],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400],
  ])('answers a body of %s with 4xx and errors', async (_, body, expected) => {
    const { endpoint, metrics } = await open();
    const { status, type, body: answer } = await call(endpoint, post(body));
    expect([status, type]).toEqual([expected, 'application/json']);
    expect(Object.keys(answer)).toEqual(['errors']);
    expect(answer.errors).toEqual([expect.objectContaining({ message: expect.any(String) })]);
    expect(JSON.stringify(answer)).not.toContain('node_modules');
    expect(metrics().errors).toBe(1);
    // And goes on.
    expect((await query(endpoint, '{ hello }')).status).toBe(200);
  });

  it('answers arbitrary input without 5xx or a stack', async () => {
    const { endpoint } = await open();
    const text = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc
        .record({
          query: fc.oneof(
            fc.string(),
            fc.constantFrom('{ hello }', '{', '{ nope }'),
            fc.jsonValue(),
          ),
          variables: fc.jsonValue(),
          operationName: fc.jsonValue(),
          extensions: fc.jsonValue(),
        })
        .map((value) => JSON.stringify(value)),
    );
    const type = fc.constantFrom(
      'application/json',
      'application/json; charset=latin1',
      'text/plain',
      'x',
    );
    const accept = fc.constantFrom('*/*', 'application/graphql-response+json', 'x', '');
    await fc.assert(
      fc.asyncProperty(text, type, accept, async (body, contentType, accepts) => {
        const headers = { 'content-type': contentType, accept: accepts };
        const answer = await call(endpoint, post(body, headers));
        expect(answer.status).toBeLessThan(500);
        expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\\n +at /);
      }),
      { numRuns: 60 },
    );
    expect((await query(endpoint, '{ hello }')).status).toBe(200);
  });

  it('sends the whole response to a client that is still sending a large body', async () => {
    // Fastify's own parser closes the connection.
    if (!isExpress && mountAs === 'route') return;
    const { endpoint } = await open();
    expect(new Set(await postLarge(endpoint))).toEqual(new Set([413]));
  });

  it('answers a huge body with 413 and errors', async () => {
    const { endpoint, metrics } = await open();
    const body = JSON.stringify({ query: '{ hello }', padding: 'x'.repeat(1_500_000) });
    const { status, body: answer } = await call(endpoint, post(body));
    expect(status).toBe(413);
    expect(answer.errors).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(
          /^(The body is larger than \d+ bytes|Request body is too large)$/,
        ),
        extensions: expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
      }),
    ]);
    expect(metrics().errors).toBe(1);
  });

  it('answers errors of a document as GraphQL errors', async () => {
    const { endpoint, metrics } = await open();
    expect((await query(endpoint, '{ hello')).body.errors[0].message).toMatch(/^Syntax Error: /);
    expect((await query(endpoint, '{ nope }')).body.errors[0].message).toMatch(
      /^Cannot query field/,
    );
    expect((await query(endpoint, 'subscription { x }')).body.errors).toHaveLength(1);
    expect(metrics()).toEqual({ queries: 0, mutations: 0, errors: 3 });
  });
});

describe.each(platforms)('a body that the mount reads on $name', (platform) => {
  const open = async (options: object = {}) => {
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...schema, ...options })] },
      platform,
      undefined,
      { bodyParser: false },
    );
    return `${url}/graphql`;
  };

  it('is JSON, up to 1 MiB or the configured limit', async () => {
    const endpoint = await open();
    expect((await query(endpoint, '{ hello }')).body).toEqual({ data: { hello: 'world' } });
    const sized = (bytes: number) => `{"query":"{ hello }","p":"${'x'.repeat(bytes - 28)}"}`;
    expect(Buffer.byteLength(sized(1_048_576))).toBe(1_048_576);
    expect((await call(endpoint, post(sized(1_048_576)))).status).toBe(200);
    expect((await call(endpoint, post(sized(1_048_577)))).status).toBe(413);
    const small = await open({ maxBodyBytes: 100 });
    expect((await call(small, post(sized(100)))).status).toBe(200);
    expect((await call(small, post(sized(101)))).body.errors[0].message).toBe(
      'The body is larger than 100 bytes',
    );
  });

  it('is limited, also without a content length', async () => {
    const endpoint = await open({ maxBodyBytes: 1000 });
    const status = await new Promise((resolve, reject) => {
      const sent = request(endpoint, { method: 'POST', headers: JSON_TYPE }, (res) => {
        resolve(res.statusCode);
        res.resume();
        sent.destroy();
      });
      sent.on('error', reject);
      // Nothing after that: a busy client would write to a connection that is closed, before it reads the response.
      sent.write(`{"query":"${'x'.repeat(1000)}`);
    });
    expect(status).toBe(413);
  });

  it('is not inflated', async () => {
    const endpoint = await open();
    const answer = await call(
      endpoint,
      post(gzipSync('{"query":"{ hello }"}'), { ...JSON_TYPE, 'content-encoding': 'gzip' }),
    );
    expect([answer.status, answer.body.errors[0].message]).toEqual([
      415,
      'The body is compressed (gzip). Send an uncompressed body.',
    ]);
  });

  it('may end early without an error in the server', async () => {
    const endpoint = await open();
    await new Promise<void>((resolve) => {
      const sent = request(endpoint, {
        method: 'POST',
        headers: { ...JSON_TYPE, 'content-length': 1000 },
      });
      sent.on('error', () => resolve());
      sent.write('{"query":');
      setTimeout(() => sent.destroy(new Error('gone')), 20);
    });
    expect((await query(endpoint, '{ hello }')).status).toBe(200);
  });
});
