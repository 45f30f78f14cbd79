// `direct: true`: operations go from the server to the mount, ahead of the platform.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type INestApplication, Logger, type ModuleMetadata } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { WebSocketGateway } from '@nestjs/websockets';
import { ContextModule, defineHttpContextDecorator } from '@fledge/core';
import {
  getGraphqlAdapterToken,
  type GraphqlAdapter,
  type GraphqlContext,
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlMountOptions,
} from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { feed } from './support/feed.js';
import { call, query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';

let seen: string[];
beforeEach(() => void (seen = []));
afterEach(async () => {
  hangUp();
  jest.restoreAllMocks();
  await closeAll();
});

const typeDefs = 'type Query { hello: String, request: String }';
const rootValue = {
  hello: () => 'world',
  request: (_: unknown, { ctx }: GraphqlContext) =>
    JSON.stringify([ctx.url, ctx.req['ip'] === undefined, ctx.req['query'] === undefined]),
};

type Next = () => void;
type Seen = IncomingMessage & { originalUrl?: string };

/** Middleware of the application, which notes what it sees. */
const note = (request: Seen, _response: ServerResponse, next: Next) => {
  seen.push(`${request.method} ${request.originalUrl ?? request.url}`);
  next();
};

@WebSocketGateway({ path: '/io' })
class Gateway {}

describe.each(platforms)('direct: true on $name', (platform) => {
  const start = async (
    options: Partial<GraphqlMountOptions> = {},
    { imports = [], ...metadata }: ModuleMetadata = {},
    main: (app: INestApplication) => void = () => undefined,
  ) => {
    const mount = GraphqlMountModule.forRoot({
      direct: true,
      ...('schema' in options ? {} : { typeDefs, rootValue }),
      ...options,
    } as never);
    const { app, url } = await serve(
      { imports: [mount, ...imports], ...metadata },
      platform,
      (app) => {
        app.use(note);
        main(app);
      },
    );
    return { app, url, endpoint: `${url}/graphql` };
  };

  it('middleware does not run for operations, and counts, contexts and Node’s request are there', async () => {
    const { app, endpoint } = await start();
    expect(await query(endpoint, '{ hello request }')).toEqual({
      status: 200,
      type: 'application/json',
      body: { data: { hello: 'world', request: '["/graphql",true,true]' } },
    });
    expect(seen).toEqual([]);
    const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false });
    expect(adapter.introspect().metrics).toMatchObject({ queries: 1, errors: 0 });
  });

  it('other requests pass the platform', async () => {
    const { endpoint } = await start();
    const own = new URL(endpoint).origin;
    expect((await query(endpoint, '{ hello }', { origin: own })).status).toBe(200);
    expect(seen).toEqual([]);
    expect((await query(`${endpoint}?a=b`, '{ hello }')).status).toBe(200);
    expect((await call(`${endpoint}?query={hello}`)).status).toBe(200);
    expect((await query(endpoint, '{ hello }', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await query(endpoint, '{ hello }', { origin: 'https://a.b' })).status).toBe(200);
    expect(seen).toEqual([
      'POST /graphql?a=b',
      'GET /graphql?query={hello}',
      'POST /graphql',
      'POST /graphql',
    ]);
  });

  it('CORS of the application applies to pages of other origins', async () => {
    const { endpoint } = await start({}, {}, (app) => app.enableCors());
    const { headers } = await fetch(endpoint, {
      method: 'POST',
      headers: { origin: 'https://a.b', 'content-type': 'application/json' },
      body: '{"query":"{ hello }"}',
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('errors are answered as GraphQL errors', async () => {
    const { app, endpoint } = await start({ maxBodyBytes: 100 });
    const post = (body: string) =>
      call(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(await post('{')).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'Unparsable JSON body' }] },
    });
    expect(await query(endpoint, `{ hello } # ${'a'.repeat(100)}`)).toMatchObject({
      status: 413,
      body: { errors: [{ message: 'The body is larger than 100 bytes' }] },
    });
    const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false });
    expect(adapter.introspect().metrics).toMatchObject({ queries: 0, errors: 2 });
  });

  it('what the runtime passes on is answered 404', async () => {
    const runtime = () => (_req: unknown, _res: unknown, next: Next) => next();
    const { endpoint } = await start({ runtime: runtime as never });
    expect(await query(endpoint, '{ hello }')).toMatchObject({
      status: 404,
      body: { errors: [{ message: 'Cannot POST /graphql' }] },
    });
  });

  it('yoga serves its operations', async () => {
    const { endpoint } = await start({ runtime: yoga() });
    expect((await query(endpoint, '{ hello }')).body).toEqual({ data: { hello: 'world' } });
    expect(seen).toEqual([]);
  });

  it('several mounts are served, with the global prefix', async () => {
    const other = { name: 'Other', path: '/other', typeDefs, rootValue, direct: true };
    const { url } = await start({}, { imports: [GraphqlMountModule.forRoot(other)] }, (app) => {
      app.setGlobalPrefix('api');
    });
    for (const path of ['/api/graphql', '/api/other']) {
      expect((await query(url + path, '{ hello }')).body).toEqual({ data: { hello: 'world' } });
    }
    expect(seen).toEqual([]);
  });

  it('context decorators run before operations', async () => {
    const Watched = defineHttpContextDecorator({
      key: 'watched',
      resolve: (ctx) => seen.push(`decorated ${ctx.url}`),
    });
    const { endpoint } = await start(
      {},
      { imports: [ContextModule.forRoot({ contributors: [Watched] })] },
    );
    expect((await query(endpoint, '{ hello }')).status).toBe(200);
    expect(seen).toEqual(['decorated /graphql']);
  });

  it('event streams and sockets pass as before', async () => {
    const { schema } = feed();
    const { endpoint } = await start({
      schema,
      runtime: graphqlHttp({ eventStreams: true }),
      subscriptions: { maxPerAddress: 1 },
    } as never);
    const client = new AbortController();
    const subscribe = () =>
      fetch(endpoint, {
        method: 'POST',
        headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
        body: '{"query":"subscription { signalled { n } }"}',
        signal: client.signal,
      });
    expect((await subscribe()).status).toBe(200);
    expect(await (await subscribe()).text()).toContain('Too many subscriptions');
    expect(seen).toEqual(['POST /graphql', 'POST /graphql']);
    client.abort();
    const wire = await Wire.connect(endpoint);
    wire.vanish();
  });

  it('gateways of socket.io share the server', async () => {
    const { url, endpoint } = await start({}, { providers: [Gateway] }, (app) =>
      app.useWebSocketAdapter(new IoAdapter(app)),
    );
    expect((await query(endpoint, '{ hello }')).status).toBe(200);
    const polled = await fetch(`${url}/io/?EIO=4&transport=polling`);
    expect(await polled.text()).toMatch(/^0\{"sid":/);
    expect(seen).toEqual([]);
  });

  it('warns about hooks of Fastify, which do not run', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await start({}, {}, (app) => {
      const instance: unknown = app.getHttpAdapter().getInstance();
      if (platform.name !== 'Fastify') return;
      (instance as { addHook(name: string, hook: unknown): void }).addHook(
        'onRequest',
        (_request: unknown, _reply: unknown, done: Next) => done(),
      );
    });
    const text = /: onRequest \(1\)\. .*, replace direct: true with mountAs: 'route'\.$/;
    const expected = platform.name === 'Fastify' ? [[expect.stringMatching(text)]] : [];
    expect(warn.mock.calls).toEqual(expected);
  });
});

it('operations over HTTP/2 are served directly', async () => {
  const adapter = () => new FastifyAdapter({ http2: true } as object);
  const mount = GraphqlMountModule.forRoot({ typeDefs, rootValue, direct: true });
  const { url } = await serve({ imports: [mount] }, { name: 'Fastify', adapter }, (app) => {
    app.use(note);
  });
  const session = connect(url);
  const stream = session.request({
    ':path': '/graphql',
    ':method': 'POST',
    'content-type': 'application/json',
  });
  stream.end('{"query":"{ hello }"}');
  expect(await text(stream)).toBe('{"data":{"hello":"world"}}');
  session.close();
  expect(seen).toEqual([]);
});

describe('direct: true with guards', () => {
  it.each([
    () => GraphqlMountModule.forRoot({ typeDefs, rootValue, direct: true, mountAs: 'route' }),
    () =>
      GraphqlMountModule.forRootAsync({
        mountAs: 'route',
        useFactory: () => ({ typeDefs, rootValue, direct: true }),
      }),
  ])('rejects a route', async (mount) => {
    await expect(serve({ imports: [mount()] }, platforms[0]!)).rejects.toMatchObject({
      code: 'GRAPHQL_BAD_OPTION',
      message: expect.stringContaining("direct: true and mountAs: 'route'"),
    });
  });
});
