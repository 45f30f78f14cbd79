import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, ForbiddenException, Get, UnprocessableEntityException } from '@nestjs/common';
import {
  GraphqlAdapter,
  type GraphqlContext,
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlRuntime,
} from '@fledge/graphql';
import { ContextModule, RequestContext } from '@fledge/core';
import { yoga } from '@fledge/graphql/yoga';
import {
  graphql,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  type ValidationRule,
} from 'graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { call, query } from './support/requests.js';

afterEach(closeAll);

const schema = {
  typeDefs: `
    type Query { hello: String header: String fails: String forbidden: String invalid: String no: Int! }
    type Mutation { go: Int }`,
  rootValue: {
    hello: () => 'world',
    header: (_: unknown, { ctx, container }: GraphqlContext) =>
      `${String(ctx.headers['x-name'])} ${typeof container.get}`,
    fails: () => {
      throw new Error('secret');
    },
    forbidden: () => {
      throw new ForbiddenException('Not yours');
    },
    invalid: () => {
      throw new GraphQLError('Said so', { extensions: { code: 'MINE' } });
    },
    go: () => 1,
  },
};

const own = platforms.flatMap((platform) =>
  [
    { runtime: 'graphqlHttp()', make: graphqlHttp },
    { runtime: 'yoga()', make: yoga },
  ].flatMap(({ runtime, make }) =>
    (['middleware', 'route'] as const).map((mountAs) => ({
      name: `${runtime} as ${mountAs} on ${platform.name}`,
      platform,
      options: { mountAs, runtime: make() },
    })),
  ),
);

describe.each(own)('$name', ({ platform, options }) => {
  const open = async (more: object = {}, prepare?: Parameters<typeof serve>[2]) => {
    const { app, url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...schema, ...options, ...more })] },
      platform,
      prepare,
    );
    return { url, metrics: () => app.get(GraphqlAdapter).introspect().metrics };
  };

  it('executes operations with root value and context', async () => {
    const { url } = await open();
    const answer = await query(`${url}/graphql`, '{ hello header }', { 'x-name': 'ann' });
    expect(answer.body).toEqual({ data: { hello: 'world', header: 'ann function' } });
    expect((await call(`${url}/graphql?query={hello}`)).body).toEqual({ data: { hello: 'world' } });
    expect((await query(`${url}/graphql`, 'mutation { go }')).body).toEqual({ data: { go: 1 } });
  });

  it('reads the whole query component, which may contain question marks', async () => {
    const { url } = await open();
    const search = 'variables={"s":"why?"}&query=query A{hello} query B{header}&operationName=A';
    expect(await call(`${url}/graphql?${search}`)).toMatchObject({
      status: 200,
      body: { data: { hello: 'world' } },
    });
  });

  it('works below a global prefix', async () => {
    const { url } = await open({}, (app) => app.setGlobalPrefix('api'));
    expect((await query(`${url}/api/graphql`, '{ hello }')).body.data).toEqual({ hello: 'world' });
    expect((await query(`${url}/graphql`, '{ hello }')).status).toBe(404);
  });

  it('counts operations and errors', async () => {
    const { url, metrics } = await open();
    const send = (operation: string) => query(`${url}/graphql`, operation);
    expect(metrics()).toEqual({ queries: 0, mutations: 0, errors: 0 });
    await send('{ hello }');
    await send('query A { hello }');
    await send('mutation { go }');
    expect(metrics()).toEqual({ queries: 2, mutations: 1, errors: 0 });
    await send('{ fails forbidden }');
    expect(metrics()).toEqual({ queries: 3, mutations: 1, errors: 1 });
    expect((await send('{ nope }')).body.errors).toHaveLength(1);
    expect((await send('{')).body.errors).toHaveLength(1);
    await call(`${url}/graphql?query=${encodeURIComponent('mutation { go }')}`);
    expect(metrics()).toEqual({ queries: 3, mutations: 1, errors: 4 });
  });

  it('refuses forms, also those that carry a mutation', async () => {
    const { url, metrics } = await open();
    const multipart = new FormData();
    multipart.set('operations', '{"query":"mutation { go }"}');
    multipart.set('map', '{}');
    for (const body of [new URLSearchParams({ query: 'mutation { go }' }), multipart]) {
      const { status } = await call(`${url}/graphql`, { method: 'POST', body });
      expect(status).toBe(415);
    }
    const text = { 'content-type': 'application/graphql' };
    const { status } = await call(`${url}/graphql`, {
      method: 'POST',
      body: 'mutation { go }',
      headers: text,
    });
    expect(status).toBe(415);
    expect(metrics()).toEqual({ queries: 0, mutations: 0, errors: 3 });
  });

  it('sends errors meant for clients, with stable codes', async () => {
    const { url } = await open();
    const { body } = await query(`${url}/graphql`, '{ forbidden invalid }');
    expect(body.errors).toEqual([
      {
        message: 'Not yours',
        locations: [{ line: 1, column: 3 }],
        path: ['forbidden'],
        extensions: {
          code: 'FORBIDDEN',
          status: 403,
          originalError: { message: 'Not yours', error: 'Forbidden', statusCode: 403 },
        },
      },
      {
        message: 'Said so',
        locations: [{ line: 1, column: 13 }],
        path: ['invalid'],
        extensions: { code: 'MINE' },
      },
    ]);
  });

  it('masks other errors in production, and sends no stack', async () => {
    const open_ = await open();
    expect((await query(`${open_.url}/graphql`, '{ fails }')).body.errors[0].message).toBe(
      'secret',
    );
    await inProduction(async () => {
      const { url } = await open();
      const { body } = await query(`${url}/graphql`, '{ fails no }');
      expect(body.errors.map(({ message }: Error) => message)).toEqual([
        'Internal server error',
        'Internal server error',
      ]);
      expect(body.errors[0].extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR' });
      expect(JSON.stringify(body)).not.toMatch(/secret|stack| at /);
      const kept = await query(`${url}/graphql`, '{ forbidden invalid }');
      expect(kept.body.errors.map(({ message }: Error) => message)).toEqual([
        'Not yours',
        'Said so',
      ]);
    });
  });

  it('applies formatError to every error', async () => {
    const { url } = await open({
      formatError: ({ message }: Error, error: GraphQLError) => ({
        message: `${message}, ${error.originalError?.constructor.name ?? 'GraphQL'}!`,
      }),
    });
    const messageOf = async (operation: string) =>
      (await query(`${url}/graphql`, operation)).body.errors[0].message;
    expect(await messageOf('{ forbidden }')).toBe('Not yours, ForbiddenException!');
    expect(await messageOf('{ nope }')).toMatch(/^Cannot query field "nope".*, GraphQL!$/);
    expect(await messageOf('{ hello')).toMatch(/^Syntax Error: .*, GraphQL!$/);
  });

  it('answers introspection outside production, unless configured', async () => {
    const asked = '{ __schema { queryType { name } } }';
    const { url } = await open();
    expect((await query(`${url}/graphql`, asked)).body.data).toEqual({
      __schema: { queryType: { name: 'Query' } },
    });
    await inProduction(async () => {
      const closed = await open();
      const { body } = await query(`${closed.url}/graphql`, asked);
      expect(body.errors[0].message).toContain('introspection has been disabled');
      const unknown = await query(`${closed.url}/graphql`, '{ helo }');
      expect(unknown.body.errors[0].message).toBe('Cannot query field "helo" on type "Query".');
      const opened = await open({ introspection: true });
      expect((await query(`${opened.url}/graphql`, asked)).body.data).toBeDefined();
    });
  });

  it('applies maxTokens and rules, which run once for a valid text', async () => {
    let ran = 0;
    const counting: ValidationRule = (context) => ({
      Document: () => void (ran += 1),
      Field: (node) => {
        if (node.name.value === 'no') context.reportError(new GraphQLError('Not this one'));
      },
    });
    const { url } = await open({ maxTokens: 8, validationRules: [counting] });
    const send = (operation: string) => query(`${url}/graphql`, operation);
    await send('{ hello }');
    await send('{ hello }');
    expect(ran).toBe(1);
    const extensions = { code: 'GRAPHQL_VALIDATION_FAILED' };
    expect((await send('{ no }')).body.errors).toEqual([{ message: 'Not this one', extensions }]);
    expect((await send('{ no }')).body.errors).toEqual([{ message: 'Not this one', extensions }]);
    // Once for the valid text, twice for the other, which is not kept.
    expect(ran).toBe(3);
    expect((await send('{ a: hello b: hello c: hello }')).body.errors[0].message).toContain(
      '8 tokens',
    );
    const uncached = await open({ documentCache: false, validationRules: [counting] });
    await query(`${uncached.url}/graphql`, '{ hello }');
    await query(`${uncached.url}/graphql`, '{ hello }');
    expect(ran).toBe(5);
  });

  it('limits the documents of a batch', async () => {
    const { url, metrics } = await open();
    const { status, body } = await call(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[{"query":"{ hello }"},{"query":"mutation { go }"}]',
    });
    expect(status).toBe(options.runtime.library === 'graphql-yoga' ? 400 : 422);
    expect(body.errors).toHaveLength(1);
    expect(metrics()).toEqual({ queries: 0, mutations: 0, errors: 1 });
  });
});

describe.each(platforms)('yoga() on $name', (platform) => {
  it('runs plugins, with their rules and those of the mount', async () => {
    const seen: string[] = [];
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            ...schema,
            runtime: yoga({
              plugins: [
                {
                  onParse: ({ params }) => void seen.push(String(params.source)),
                  onValidate: ({ addValidationRule }) =>
                    addValidationRule(NoSchemaIntrospectionCustomRule),
                },
              ],
            }),
          }),
        ],
      },
      platform,
    );
    expect((await query(`${url}/graphql`, '{ hello }')).body.data).toEqual({ hello: 'world' });
    expect(seen).toEqual(['{ hello }']);
    const refused = await query(`${url}/graphql`, '{ __schema { queryType { name } } }');
    expect(refused.body.errors[0].message).toContain('introspection has been disabled');
  });

  it("serves Yoga's GraphiQL only if that is on and the explorer is off", async () => {
    const page = async (graphiql?: boolean) => {
      const runtime = yoga({ ...(graphiql !== undefined && { graphiql }) });
      const mount = GraphqlMountModule.forRoot({ ...schema, runtime, explorer: false });
      const { url } = await serve({ imports: [mount] }, platform);
      return call(`${url}/graphql`, { headers: { accept: 'text/html' } });
    };
    expect((await page()).type).not.toBe('text/html');
    expect(await page(true)).toMatchObject({
      type: 'text/html',
      body: expect.stringMatching('Yoga'),
    });
  });

  it('accepts and counts batches if batching is on', async () => {
    const { app, url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...schema, runtime: yoga({ batching: true }) })] },
      platform,
    );
    const { body } = await call(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[{"query":"{ hello }"},{"query":"mutation { go }"},{"query":"{ fails }"}]',
    });
    expect(body).toHaveLength(3);
    expect(app.get(GraphqlAdapter).introspect().metrics).toEqual({
      queries: 2,
      mutations: 1,
      errors: 1,
    });
  });

  it('streams subscriptions as server-sent events, in the context of their request', async () => {
    const { url } = await serve(
      {
        imports: [
          ContextModule,
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { hello: String } type Subscription { who: String }',
            rootValue: {
              async *who(_: unknown, { container }: GraphqlContext) {
                for (let i = 0; i < 2; i += 1) {
                  await new Promise((resolve) => setTimeout(resolve, 5));
                  yield { who: container.get(RequestContext).headers['x-name'] };
                }
              },
            },
            runtime: yoga(),
          }),
        ],
      },
      platform,
    );
    const names = ['ann', 'bob', 'cid'];
    const streams = await Promise.all(
      names.map(async (name) => {
        const headers = { accept: 'text/event-stream', 'x-name': name };
        return (await query(`${url}/graphql`, 'subscription { who }', headers)).body as string;
      }),
    );
    expect(streams.map((stream) => stream.match(/"who":"(\w+)"/g))).toEqual(
      names.map((name) => [`"who":"${name}"`, `"who":"${name}"`]),
    );
  });

  it('accepts a form if contentTypes lists it', async () => {
    const runtime = yoga({ contentTypes: ['application/x-www-form-urlencoded'] });
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...schema, runtime })] },
      platform,
    );
    const body = new URLSearchParams({ query: '{ hello }' });
    const answer = await call(`${url}/graphql`, { method: 'POST', body });
    expect(answer.body).toEqual({ data: { hello: 'world' } });
  });
});

describe.each(platforms)('a runtime of your own on $name', (platform) => {
  const own: GraphqlRuntime =
    ({ schema, rootValue, contextOf, path }) =>
    async (req, res, next) => {
      const { query: source } = (req as typeof req & { body?: { query?: string } }).body ?? {};
      if (source === 'pass') return next();
      if (source === 'fail') return next(new UnprocessableEntityException('Not like this'));
      if (source === 'throw') throw new Error('secret');
      if (source === undefined) res.statusCode = 400;
      const result = await graphql({
        schema: schema(),
        source: source ?? '{ __typename }',
        rootValue,
        contextValue: contextOf(req, res),
      });
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify({ ...result, path }));
    };
  const open = async () => {
    const { app, url } = await serve(
      {
        imports: [GraphqlMountModule.forRoot({ ...schema, path: '/own', runtime: own })],
        controllers: [Elsewhere],
      },
      platform,
    );
    return { url, metrics: () => app.get(GraphqlAdapter).introspect().metrics };
  };

  it('gets a parsed body, schema, root value, context and path', async () => {
    const { url } = await open();
    const answer = await query(`${url}/own`, '{ header }', { 'x-name': 'ann' });
    expect(answer.body).toEqual({ data: { header: 'ann function' }, path: '/own' });
  });

  it('is counted by body and status', async () => {
    const { url, metrics } = await open();
    await query(`${url}/own`, '{ hello }');
    await query(`${url}/own`, 'mutation { go }');
    await query(`${url}/own`, '{ fails }');
    await call(`${url}/own`);
    expect(metrics()).toEqual({ queries: 2, mutations: 1, errors: 1 });
  });

  it('is counted by the URL of a GET request', async () => {
    const runtime: GraphqlRuntime = () => (_req, res) => void res.end('{}');
    const { app, url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...schema, runtime })] },
      platform,
    );
    await call(`${url}/graphql?variables={"s":"why?"}&query={hello}`);
    expect(app.get(GraphqlAdapter).introspect().metrics.queries).toBe(1);
  });

  it.each(['middleware', 'route'] as const)('gets no forms as %s', async (mountAs) => {
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...schema, mountAs, runtime: own })] },
      platform,
    );
    const multipart = new FormData();
    multipart.set('query', 'mutation { go }');
    const bodies = [new URLSearchParams({ query: 'mutation { go }' }), multipart, '{"query":"x"}'];
    for (const body of bodies) {
      const answer = await call(`${url}/graphql`, { method: 'POST', body });
      expect([answer.status, answer.body.errors]).toEqual([415, [expect.anything()]]);
    }
  });

  it('gets forms if it checks them itself', async () => {
    const runtime = Object.assign(own.bind(undefined), { forms: true });
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...schema, runtime })] },
      platform,
    );
    const body = new URLSearchParams({ query: '{ hello }' });
    expect((await call(`${url}/graphql`, { method: 'POST', body })).status).not.toBe(415);
  });

  it('may throw, or call next()', async () => {
    const { url, metrics } = await open();
    await inProduction(async () => {
      const thrown = await query(`${url}/own`, 'throw');
      expect([thrown.status, thrown.body.errors[0].message]).toEqual([
        500,
        'Internal server error',
      ]);
    });
    const failed = await query(`${url}/own`, 'fail');
    expect([failed.status, JSON.stringify(failed.body)]).toEqual([
      422,
      expect.stringContaining('Not like this'),
    ]);
    expect((await query(`${url}/own`, 'pass')).status).toBe(404);
    expect((await call(`${url}/elsewhere`)).body).toBe('here');
    expect(metrics().errors).toBe(3);
  });
});

@Controller('elsewhere')
class Elsewhere {
  @Get()
  here() {
    return 'here';
  }
}

async function inProduction(run: () => Promise<void>): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await run();
  } finally {
    process.env['NODE_ENV'] = before;
  }
}
