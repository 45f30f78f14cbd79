// Limits, error masking, loaders and revalidation of Mercurius in @nestjs/graphql.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  Logger,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import {
  Args,
  Context,
  GqlExecutionContext,
  Int,
  Mutation,
  Query,
  Resolver,
  Subscription,
} from '@nestjs/graphql';
import { type MercuriusDriverConfig } from '@nestjs/mercurius';
import { RequestContext } from '@fledge/core';
import { ContextLoader } from '@fledge/core/loader';
import {
  type ApolloSubscriptionsOptions,
  getGraphqlAdapterToken,
  type GraphqlAdapter,
  type GraphqlContext,
  GraphqlOperations,
  GraphqlOptionError,
  GraphqlSubscriptionsModule,
  type OperationLimits,
} from '@fledge/graphql';
import { formatMercuriusErrors, GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { NoSchemaIntrospectionCustomRule } from 'graphql';
import mercurius from 'mercurius';
import { PubSub } from 'graphql-subscriptions';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { deepDocument } from './support/documents.js';
import { TenantsModule } from './support/feed.js';
import { call, query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';
import { mercuriusModule } from './support/nest-graphql.js';

const [, fastify] = platforms;
const pubsub = new PubSub();
const listening = () =>
  Object.keys((pubsub as unknown as { subscriptions: object }).subscriptions).length;
const batches: string[] = [];
let hasSession = true;

afterEach(async () => {
  hangUp();
  await closeAll();
  batches.length = 0;
  hasSession = true;
});

class SessionGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const { req } = GqlExecutionContext.create(execution).getContext<GraphqlContext>();
    if (!hasSession || req === undefined) throw new UnauthorizedException('no session');
    return true;
  }
}

@Injectable()
class Stock extends ContextLoader<number, string> {
  constructor(private readonly request: RequestContext) {
    super();
  }

  protected batch(ids: readonly number[]) {
    const tenant = String(this.request.get('tenant'));
    batches.push(`${tenant} ${ids.join()}`);
    return Promise.resolve(ids.map((id) => `${tenant} ${id}`));
  }
}

@Resolver()
class Shop {
  constructor(private readonly stock: Stock) {}

  @Query(() => String)
  hello() {
    return 'world';
  }

  @Query(() => [Int])
  list(@Args('first', { type: () => Int }) first: number) {
    return [first];
  }

  @Query(() => String)
  stockOf(@Args('id', { type: () => Int }) id: number) {
    return this.stock.load(id);
  }

  @Query(() => String, { nullable: true })
  fails(@Args('how') how: string) {
    if (how === 'forbidden') throw new ForbiddenException('not yours');
    if (how === 'props') throw new mercurius.ErrorWithProps('too late', { code: 'LATE' });
    throw new Error('password in the clear');
  }

  @Mutation(() => Int)
  buy() {
    return 1;
  }

  @UseGuards(SessionGuard)
  @Subscription(() => String, {
    resolve(this: Shop, n: number, _args: object, _context: GraphqlContext) {
      return this.stock.load(n);
    },
  })
  sold(@Context() _context: GraphqlContext) {
    return pubsub.asyncIterableIterator('sold');
  }
}

async function start(
  limits: OperationLimits = {},
  options: Partial<MercuriusDriverConfig> = {},
  sockets: ApolloSubscriptionsOptions = {},
) {
  const { app, url } = await serve(
    {
      imports: [
        TenantsModule,
        GraphqlMercuriusModule.forRoot({ limits }),
        mercuriusModule(options),
        GraphqlSubscriptionsModule.forMercurius(sockets),
      ],
      providers: [Shop, Stock],
    },
    fastify!,
  );
  const adapter = app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false });
  return { app, url: `${url}/graphql`, counts: () => adapter.introspect().metrics };
}

const post = (url: string, body: unknown) =>
  call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('limits of GraphqlMercuriusModule', () => {
  it('refuse an operation before it runs, each time, over HTTP and sockets', async () => {
    const { url, counts } = await start({ aliases: 2 }, {}, { operations: 'all' });
    const three = '{ a: hello b: hello c: hello }';
    for (let i = 0; i < 3; i += 1) {
      const { status, body } = await query(url, three);
      expect([status, body.data]).toEqual([400, null]);
      expect(body.errors).toMatchObject([
        {
          message: 'The operation has more than 2 aliases',
          extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit: 'aliases', maximum: 2 },
        },
      ]);
    }
    expect((await query(url, '{ a: hello b: hello }')).body.data).toEqual({
      a: 'world',
      b: 'world',
    });
    expect(counts()).toEqual({ queries: 1, mutations: 0, errors: 3 });
    const wire = await Wire.connect(url);
    wire.subscribe('1', three);
    expect((await wire.answer('1')).payload[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
  });

  it('compare the cost of the operation that a request, a URL or a member of a batch selects', async () => {
    const { url } = await start({ cost: 50 }, { allowBatchedQueries: true });
    const text = 'query A { hello } query B($n: Int!) { list(first: $n) }';
    const ask = (operationName: string, n: number) => ({
      query: text,
      operationName,
      variables: { n },
    });
    const codeOf = (body: { errors?: { extensions: { code: string } }[] }) =>
      body.errors?.[0]?.extensions.code;
    expect(codeOf((await post(url, ask('A', 1_000))).body)).toBeUndefined();
    const many = '{ ' + Array.from({ length: 60 }, (_, i) => `a${i}: hello`).join(' ') + ' }';
    expect(codeOf((await post(url, { query: many })).body)).toBe('GRAPHQL_LIMIT_EXCEEDED');
    const inUrl = await call(`${url}?${new URLSearchParams({ query: many })}`);
    expect(codeOf(inUrl.body)).toBe('GRAPHQL_LIMIT_EXCEEDED');
    const batch = await post(url, [ask('A', 1), { query: many }, ask('B', 1)]);
    expect(batch.body.map(codeOf)).toEqual([undefined, 'GRAPHQL_LIMIT_EXCEEDED', undefined]);
  });

  it('select the operation of a batch by its own name, also for counts', async () => {
    const { url, counts } = await start({ aliases: 1 }, { allowBatchedQueries: true });
    const text = 'query A { hello } mutation B { buy } query C { a: hello b: hello }';
    const { body } = await post(
      url,
      ['A', 'B', 'C'].map((operationName) => ({ query: text, operationName })),
    );
    expect(body.map(({ data }: { data: unknown }) => data)).toEqual([
      { hello: 'world' },
      { buy: 1 },
      null,
    ]);
    expect(counts()).toMatchObject({ queries: 1, mutations: 1 });
  });

  it('a function for rules needs rules for sockets, which apply', async () => {
    const validationRules = () => [];
    await expect(start({}, { validationRules, cache: false })).rejects.toMatchObject({
      code: 'GRAPHQL_BAD_OPTION',
      message: expect.stringMatching(/`validationRules` .* function.*`operationRules` of forMer/),
    });
    const operationRules = () => [NoSchemaIntrospectionCustomRule];
    const { url } = await start(
      {},
      { validationRules, cache: false },
      { operationRules, operations: 'all' },
    );
    const wire = await Wire.connect(url);
    wire.subscribe('1', '{ __schema { queryType { name } } }');
    expect((await wire.answer('1')).payload[0].message).toContain(
      'introspection has been disabled',
    );
  });

  it('are checked at boot', () => {
    expect(() => GraphqlMercuriusModule.forRoot({ limits: { depth: 0 } })).toThrow(
      GraphqlOptionError,
    );
    expect(() => GraphqlMercuriusModule.forRoot({ limits: { dept: 1 } as object })).toThrow(/dept/);
  });
});

describe('formatMercuriusErrors', () => {
  const errorFormatter = formatMercuriusErrors as never;
  const fails = (how: string) => `{ fails(how: "${how}") }`;

  it('gives errors the codes of a mount, and keeps those of Mercurius', async () => {
    const { url } = await start({ aliases: 1 }, { errorFormatter });
    const forbidden = await query(url, fails('forbidden'));
    expect(forbidden.body).toMatchObject({
      data: { fails: null },
      errors: [{ message: 'not yours', path: ['fails'], extensions: { code: 'FORBIDDEN' } }],
    });
    expect((await query(url, fails('props'))).body.errors).toMatchObject([
      { message: 'too late', extensions: { code: 'LATE' } },
    ]);
    const limited = await query(url, '{ a: hello b: hello }');
    expect(limited.status).toBe(400);
    expect(limited.body.errors[0].extensions.code).toBe('GRAPHQL_LIMIT_EXCEEDED');
    const invalid = await query(url, '{ nothing }');
    expect(invalid.status).toBe(400);
    expect(invalid.body.errors[0].message).toContain('Cannot query field "nothing"');
    expect(invalid.body.errors[0].extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED' });
    const syntax = await query(url, '{');
    expect(syntax.status).toBe(400);
    expect(syntax.body.errors[0].message).toContain('Syntax Error');
    expect(syntax.body.errors[0].extensions).toEqual({ code: 'GRAPHQL_PARSE_FAILED' });
    const variables = await query(url, 'query ($how: String!) { fails(how: $how) }', {}, {});
    expect(variables.body.errors[0].extensions).toBeUndefined();
    const malformed = await call(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(malformed.status).toBe(400);
    expect(JSON.stringify(malformed.body)).not.toContain('Internal server error');
  });

  it('blames clients for a mutation by GET and for deep nesting, and logs nothing', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { url } = await start({}, { errorFormatter });
    expect(await call(`${url}?query=mutation{buy}`)).toMatchObject({
      status: 405,
      body: {
        errors: [
          {
            message: 'Operation cannot be performed via a GET request',
            extensions: { code: 'METHOD_NOT_ALLOWED' },
          },
        ],
      },
    });
    expect(await query(url, deepDocument)).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] },
    });
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  it('masks other errors in production, and sends no stack', async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      const { url } = await start({}, { errorFormatter });
      const { body } = await query(url, fails('secret'));
      expect(body.errors).toEqual([
        {
          message: 'Internal server error',
          locations: [{ line: 1, column: 3 }],
          path: ['fails'],
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        },
      ]);
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });
});

describe('loaders and revalidation with Mercurius', () => {
  it('load once for each request and each event, for its tenant', async () => {
    const { url } = await start();
    const two = '{ a: stockOf(id: 1) b: stockOf(id: 2) c: stockOf(id: 1) }';
    const answers = await Promise.all(
      ['acme', 'globex'].map((tenant) => query(url, two, { 'x-tenant-id': tenant })),
    );
    expect(answers.map(({ body }) => body.data)).toEqual([
      { a: 'acme 1', b: 'acme 2', c: 'acme 1' },
      { a: 'globex 1', b: 'globex 2', c: 'globex 1' },
    ]);
    expect(batches.toSorted()).toEqual(['acme 1,2', 'globex 1,2']);
    batches.length = 0;
    const wires = await Promise.all(
      ['acme', 'globex'].map((tenant) => Wire.connect(url, { 'x-tenant-id': tenant })),
    );
    for (const wire of wires) wire.subscribe('1', 'subscription { sold }');
    await until(() => listening() === 2);
    for (const n of [7, 7]) await pubsub.publish('sold', n);
    const [acme, globex] = await Promise.all(wires.map((wire) => wire.events('1', 2)));
    expect(acme).toEqual([{ sold: 'acme 7' }, { sold: 'acme 7' }]);
    expect(globex).toEqual([{ sold: 'globex 7' }, { sold: 'globex 7' }]);
    expect(batches.toSorted()).toEqual(['acme 7', 'acme 7', 'globex 7', 'globex 7']);
  });

  it('check subscriptions again with the guards of their resolver', async () => {
    const { app, url } = await start({}, {}, { revalidate: true });
    const wire = await Wire.connect(url, { 'x-tenant-id': 'acme' });
    wire.subscribe('1', 'subscription { sold }');
    await until(() => listening() === 1);
    const operations = app.get(GraphqlOperations, { strict: false });
    expect(await operations.revalidate()).toMatchObject({ ended: 0 });
    await pubsub.publish('sold', 3);
    expect(await wire.events('1', 1)).toEqual([{ sold: 'acme 3' }]);
    hasSession = false;
    expect(await operations.revalidate()).toMatchObject({ ended: 1 });
    await until(() => listening() === 0);
  });
});
