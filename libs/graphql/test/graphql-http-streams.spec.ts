// Event streams of the default runtime, read by the client of graphql-sse.
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  getGraphqlAdapterToken,
  type GraphqlAdapter,
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlMountOptions,
  GraphqlOperations,
  GraphqlOptionError,
  GraphqlSubscriptionsAdapter,
} from '@fledge/graphql';
import { type Client, createClient } from 'graphql-sse';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { manifestOf, sha256 } from './support/documents.js';
import { feed, TenantsModule } from './support/feed.js';
import { openStream, type Stream } from './support/streams.js';

const clients: Client[] = [];
const streams: Stream[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.dispose();
  for (const stream of streams.splice(0)) stream.leave();
  await closeAll();
});

const COUNT = 'subscription { count(to: 3) }';
const SIGNALLED = 'subscription { signalled { n } }';
const EVENTS = { headers: { accept: 'text/event-stream' } };

describe.each(platforms)('event streams of graphqlHttp() on $name', (platform) => {
  async function start(
    options: Partial<GraphqlMountOptions> = {},
    eventStreams: NonNullable<Parameters<typeof graphqlHttp>[0]>['eventStreams'] = true,
  ) {
    const source = feed();
    const { app, url } = await serve(
      {
        imports: [
          TenantsModule,
          GraphqlMountModule.forRoot({
            schema: source.schema,
            runtime: graphqlHttp({ eventStreams }),
            ...options,
          }),
        ],
      },
      platform,
    );
    const graphql = `${url}/graphql`;
    const client = (headers: Record<string, string> = {}) => {
      const made = createClient({ url: graphql, headers, retryAttempts: 0 });
      clients.push(made);
      return made;
    };
    const all = async (query: string, headers?: Record<string, string>) => {
      const results = [];
      for await (const result of client(headers).iterate({ query })) results.push(result);
      return results;
    };
    const open = async (query: string, headers?: Record<string, string>) => {
      const stream = await openStream(graphql, query, headers);
      streams.push(stream);
      return stream;
    };
    const counts = () =>
      app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false }).introspect().metrics;
    const metrics = () =>
      app.get(GraphqlSubscriptionsAdapter, { strict: false }).introspect().metrics;
    return { ...source, app, url: graphql, all, open, counts, metrics };
  }

  it.each([{}, { mountAs: 'route' }] as const)('serve each kind of operation: %j', async (more) => {
    const { all, counts, metrics } = await start(more);
    expect(await all(COUNT)).toEqual([1, 2, 3].map((count) => ({ data: { count } })));
    expect(await all('{ tenant }', { 'x-tenant-id': 'acme' })).toEqual([
      { data: { tenant: 'acme' } },
    ]);
    expect(await all('mutation { shout }')).toEqual([{ data: { shout: 'HI' } }]);
    expect(counts()).toEqual({ queries: 1, mutations: 1, errors: 0 });
    expect(metrics()).toMatchObject({ activeSubscriptions: 0, subscriptions: 1 });
  });

  it('are in the form of the protocol, with headers against buffering', async () => {
    const { url } = await start();
    const response = await fetch(`${url}?query=${encodeURIComponent('{ hello }')}`, EVENTS);
    expect(await response.text()).toBe(
      ':\n\nevent: next\ndata: {"data":{"hello":"world"}}\n\nevent: complete\ndata:\n\n',
    );
    const header = (name: string) => response.headers.get(name);
    expect(header('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(header('cache-control')).toBe('no-cache, no-transform');
    expect(header('x-accel-buffering')).toBe('no');
  });

  it('are chosen by the order and weights of Accept', async () => {
    const { url } = await start();
    const typeOf = async (accept: string, query: string) => {
      const response = await fetch(`${url}?query=${encodeURIComponent(query)}`, {
        headers: { accept },
      });
      await response.text();
      return response.headers.get('content-type')?.split(';')[0];
    };
    const urql = 'application/graphql-response+json, application/json, text/event-stream';
    expect(await typeOf(urql, '{ hello }')).toBe('application/graphql-response+json');
    expect(await typeOf(urql, COUNT)).toBe('text/event-stream');
    expect(await typeOf('text/event-stream, */*', '{ hello }')).toBe('text/event-stream');
    expect(await typeOf('application/json;q=0.5, Text/Event-Stream', '{ hello }')).toBe(
      'text/event-stream',
    );
    expect(await typeOf('application/json, text/event-stream;q=0', '{ hello }')).toBe(
      'application/json',
    );
    expect(await typeOf('*/*', '{ hello }')).toBe('application/json');
  });

  it('are explained to a client that accepts only JSON', async () => {
    const messageFor = async (url: string) => {
      const init = { headers: { accept: 'application/json' } };
      const { body } = await call(`${url}?query=${encodeURIComponent(COUNT)}`, init);
      return (body as { errors: { message: string }[] }).errors[0]?.message;
    };
    expect(await messageFor((await start()).url)).toBe(
      'Subscriptions require an event stream. Send the header Accept: text/event-stream',
    );
    expect(await messageFor((await start({}, false)).url)).toBe('Subscriptions are not supported');
  });

  it('are not opened by HEAD, whose response has no body', async () => {
    const { url, counts, metrics } = await start();
    const head = async (query: string, accept: string) => {
      const init = { method: 'HEAD', headers: { accept } };
      return (await fetch(`${url}?query=${encodeURIComponent(query)}`, init)).status;
    };
    expect(await head(SIGNALLED, 'text/event-stream')).toBe(200);
    const exact = 'application/graphql-response+json, text/event-stream';
    expect(await head(SIGNALLED, exact)).toBe(422);
    expect(await head('{ hello }', 'text/event-stream')).toBe(200);
    expect(metrics()).toMatchObject({ subscriptions: 0 });
    expect(counts()).toEqual({ queries: 1, mutations: 0, errors: 2 });
  });

  it('send errors of documents as an event, and count each operation once', async () => {
    const { all, counts } = await start({ maxTokens: 50 });
    const codes = async (query: string) => {
      const [result, ...more] = await all(query);
      expect(more).toEqual([]);
      return result?.errors?.map(({ extensions }) => extensions?.['code']);
    };
    expect(await codes('{')).toEqual(['GRAPHQL_PARSE_FAILED']);
    expect(await codes('{ nothing }')).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(await codes(`{ ${'hello '.repeat(60)} }`)).toEqual(['GRAPHQL_PARSE_FAILED']);
    expect(await codes('query A { hello } query B { hello }')).toEqual([
      'OPERATION_RESOLUTION_FAILURE',
    ]);
    expect(counts()).toEqual({ queries: 0, mutations: 0, errors: 4 });
  });

  it('answer malformed requests with 4xx and JSON', async () => {
    const { url, counts } = await start();
    const post = (body: string, type = 'application/json') =>
      fetch(url, {
        method: 'POST',
        headers: { ...EVENTS.headers, 'content-type': type },
        body,
      });
    const answers = [
      await post('{}'),
      await post('[]'),
      await post('[{"query":"{ hello }"}]'),
      await post('{'),
      await post(JSON.stringify({ query: '{ hello }', variables: 'none' })),
      await post('query={hello}', 'application/x-www-form-urlencoded'),
      await fetch(url, EVENTS),
      await fetch(`${url}?query=mutation{shout}`, EVENTS),
      await fetch(url, { method: 'DELETE', ...EVENTS }),
    ];
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual([422, 422, 422, 400, 422, 415, 422, 405, 405]);
    for (const answer of answers) expect(await answer.text()).not.toMatch(/\bat .*:\d+:\d+/);
    expect(counts()).toEqual({ queries: 0, mutations: 0, errors: 9 });
  });

  it('execute trusted documents only', async () => {
    const manifest = manifestOf(COUNT);
    const { url, all } = await start({ documents: 'trusted', manifest });
    const known = await fetch(`${url}?documentId=${sha256(COUNT)}`, EVENTS);
    expect(await known.text()).toContain('"count":3');
    const refused = await fetch(`${url}?query=${encodeURIComponent(COUNT)}`, EVENTS);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('DOCUMENT_NOT_TRUSTED');
    await expect(all(COUNT)).rejects.toThrow('Bad Request');
  });

  it('end with the error that the application gives', async () => {
    const { app, open, generators } = await start();
    const stream = await open(SIGNALLED);
    await until(() => generators.running === 1);
    expect(app.get(GraphqlOperations, { strict: false }).end(() => true)).toBe(1);
    await stream.ended;
    expect(stream.text()).toContain('SUBSCRIPTION_ENDED');
    expect(stream.text()).toMatch(/event: complete\ndata:\n\n$/);
    expect(generators.running).toBe(0);
  });

  it('get comments while they are silent', async () => {
    const { open } = await start({}, { heartbeatMs: 20 });
    const stream = await open(SIGNALLED);
    await until(() => stream.text().length >= ':\n\n'.length * 4);
    expect(stream.text()).toMatch(/^(:\n\n)+$/);
  });

  it('wait for a client that does not read', async () => {
    const produced = { events: 0, ended: false };
    const large = 'x'.repeat(100_000);
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { hello: String } type Subscription { large: String }',
            rootValue: {
              async *large() {
                try {
                  for (;;) {
                    produced.events += 1;
                    yield { large };
                  }
                } finally {
                  produced.ended = true;
                }
              },
            },
            runtime: graphqlHttp({ eventStreams: true }),
          }),
        ],
      },
      platform,
    );
    const stream = await openStream(`${url}/graphql`, 'subscription { large }');
    stream.pause();
    let before = -1;
    await until(async () => {
      const same = produced.events === before;
      before = produced.events;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return same;
    });
    // What the buffers of both ends hold.
    expect(produced.events).toBeLessThan(1_000);
    stream.leave();
    await until(() => produced.ended);
  });
});

describe('event streams of graphqlHttp()', () => {
  it('are off by default', async () => {
    const { schema } = feed();
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ schema })] },
      platforms[0]!,
    );
    const { status } = await fetch(`${url}/graphql?query={hello}`, EVENTS);
    expect(status).toBe(406);
  });

  it.each([0, -1, 1.5, '12', 2 ** 31])('refuse the interval %p', (heartbeatMs) => {
    const eventStreams = { heartbeatMs: heartbeatMs as number };
    expect(() => graphqlHttp({ eventStreams })).toThrow(GraphqlOptionError);
  });
});
