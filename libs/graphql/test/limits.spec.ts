import { afterEach, describe, expect, it } from '@jest/globals';
import { Args, Field, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';
import {
  GraphqlMountModule,
  type GraphqlMountOptions,
  GraphqlSubscriptionsModule,
  type OperationLimits,
} from '@fledge/graphql';
import { formatApolloError, GraphqlApolloModule } from '@fledge/graphql/apollo';
import { yoga } from '@fledge/graphql/yoga';
import { buildSchema, getIntrospectionQuery } from 'graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';
import { apolloModule } from './support/nest-graphql.js';

afterEach(async () => {
  hangUp();
  process.env['NODE_ENV'] = 'test';
  await closeAll();
});

const typeDefs = `
  directive @complexity(value: Int!, multipliers: [String!]) on FIELD_DEFINITION
  type Query {
    a: Int
    q: Query
    list(first: Int = 10, ids: [Int!]): [Item!] @complexity(value: 1, multipliers: ["first", "ids"])
    dear: Int @complexity(value: 80)
  }
  type Mutation { a: Int }
  type Item { name: String }
  type Subscription { ticks(first: Int): Int @complexity(value: 1, multipliers: ["first"]) }
`;
const rootValue = {
  a: 1,
  dear: 80,
  q: () => rootValue,
  list: ({ first }: { first: number }) => Array.from({ length: Math.max(first, 0) }, () => ({})),
  ticks: async function* () {
    yield { ticks: 1 };
  },
};
const mounted = (limits: OperationLimits | undefined, more: Partial<GraphqlMountOptions> = {}) =>
  GraphqlMountModule.forRoot({
    typeDefs,
    rootValue,
    ...(limits !== undefined && { limits }),
    ...more,
  });

const refusal = (limit: keyof OperationLimits, maximum: number) => ({
  message: expect.stringContaining(String(maximum)),
  extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit, maximum },
});

const LOW = { depth: 3, fields: 8, rootFields: 4, aliases: 2, directives: 2 } as const;
/** An operation within each limit of LOW, and one that exceeds it. */
const CASES: [limit: keyof typeof LOW, within: string, over: string][] = [
  ['depth', '{ q { q { a } } }', '{ q { q { ...F } } } fragment F on Query { q { a } }'],
  [
    'fields',
    '{ q { ...F } q { ...F } } fragment F on Query { q { a } a }',
    '{ q { ...F ...F ...F } } fragment F on Query { a q { a } }',
  ],
  ['rootFields', '{ a a a ... { a } }', '{ a ...F ...F } fragment F on Query { a q { a } }'],
  ['aliases', '{ x: a y: a }', '{ x: a q { ...F } ...F } fragment F on Query { y: a }'],
  [
    'directives',
    '{ a @skip(if: false) q @skip(if: false) { a } }',
    '{ ...F @skip(if: false) ...F } fragment F on Query { a @skip(if: false) }',
  ],
];

describe.each(platforms)('limits on $name', (platform) => {
  const boot = async (limits?: OperationLimits, more?: Partial<GraphqlMountOptions>) =>
    `${(await serve({ imports: [mounted(limits, more)] }, platform)).url}/graphql`;

  describe.each([
    ['graphqlHttp()', {}],
    ['yoga()', { runtime: yoga() }],
  ])('with %s', (_name, more) => {
    it.each(CASES)('refuse what exceeds %s', async (limit, within, over) => {
      const url = await boot(LOW, more);
      // Twice: from the cache of documents the second time.
      for (let i = 0; i < 2; i += 1) {
        expect((await query(url, within)).body).not.toHaveProperty('errors');
        const { status, body } = await query(url, over);
        expect(status).toBeLessThan(500);
        expect(body).toMatchObject({ errors: [refusal(limit, LOW[limit])] });
        expect(body).not.toHaveProperty('data');
        expect(JSON.stringify(body)).not.toContain('stack');
      }
      const open = await boot({ ...LOW, [limit]: false }, more);
      expect((await query(open, over)).body).not.toHaveProperty('errors');
    });

    it('measure the operation that runs', async () => {
      const url = await boot({ aliases: 1 }, more);
      const text = 'query Small { a } query Large { x: a y: a }';
      const ask = async (operationName: string) =>
        (await query(url, text, {}, undefined, { operationName })).body;
      expect(await ask('Small')).toEqual({ data: { a: 1 } });
      expect(await ask('Large')).toMatchObject({ errors: [refusal('aliases', 1)] });
      expect(await ask('Small')).toEqual({ data: { a: 1 } });
    });
  });

  it('say where, except in production', async () => {
    const over = '{\n  x: a\n  y: a\n}';
    const [error] = (await query(await boot({ aliases: 1 }), over)).body.errors;
    expect(error.locations).toEqual([{ line: 3, column: 3 }]);
    process.env['NODE_ENV'] = 'production';
    const [short] = (await query(await boot({ aliases: 1 }), over)).body.errors;
    expect(short).toEqual({
      message: 'The operation has more than 1 aliases',
      extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit: 'aliases', maximum: 1 },
    });
  });

  it('have defaults that the introspection of clients and ten nested connections meet', async () => {
    const url = await boot();
    const introspection = getIntrospectionQuery({ oneOf: true, inputValueDeprecation: true });
    expect((await query(url, introspection)).body).not.toHaveProperty('errors');
    const nested = (levels: number) =>
      `${'{ q '.repeat(levels - 1)}{ a }${' }'.repeat(levels - 1)}`;
    expect((await query(url, nested(30))).body).not.toHaveProperty('errors');
    expect((await query(url, nested(31))).body).toMatchObject({ errors: [refusal('depth', 30)] });
  });

  it('let clients introspect with low values', async () => {
    const url = await boot({ depth: 1, fields: 1, rootFields: 1, aliases: 1, cost: 1 });
    const { body } = await query(url, getIntrospectionQuery());
    expect(body.data.__schema.types.length).toBeGreaterThan(5);
  });

  it('hold for sockets', async () => {
    const url = await boot({ ...LOW, cost: 20 }, { subscriptions: { operations: 'all' } });
    const wire = await Wire.connect(url);
    for (const [limit, within, over] of CASES) {
      wire.subscribe(`within ${limit}`, within);
      expect(await wire.events(`within ${limit}`, 1)).toHaveLength(1);
      wire.subscribe(`over ${limit}`, over);
      expect(await wire.answer(`over ${limit}`)).toMatchObject({
        type: 'error',
        payload: [refusal(limit, LOW[limit])],
      });
    }
    const TICKS = 'subscription ($n: Int) { ticks(first: $n) }';
    wire.subscribe('dear', TICKS, { variables: { n: 21 } });
    expect(await wire.answer('dear')).toMatchObject({ payload: [refusal('cost', 20)] });
    wire.subscribe('cheap', TICKS, { variables: { n: 20 } });
    expect(await wire.events('cheap', 1)).toEqual([{ ticks: 1 }]);
  });

  it('hold for event streams', async () => {
    const url = await boot({ aliases: 1, cost: 20 }, { runtime: yoga() });
    const stream = async (text: string, variables: object) =>
      (
        await fetch(
          `${url}?query=${encodeURIComponent(text)}&variables=${encodeURIComponent(JSON.stringify(variables))}`,
          { headers: { accept: 'text/event-stream' } },
        )
      ).text();
    const TICKS = 'subscription ($n: Int) { ticks(first: $n) }';
    expect(await stream(TICKS, { n: 20 })).toContain('"ticks":1');
    for (const [text, limit] of [
      [TICKS, 'cost'],
      ['subscription ($n: Int) { x: ticks(first: $n) x: ticks(first: $n) }', 'aliases'],
    ] as const) {
      const answer = await stream(text, { n: 21 });
      expect(answer).toContain(`"limit":"${limit}"`);
      expect(answer).not.toContain('"ticks"');
    }
  });

  it('hold for the sockets of a schema', async () => {
    const { url } = await serve(
      {
        imports: [
          GraphqlSubscriptionsModule.forRoot({
            schema: buildSchema(typeDefs),
            rootValue,
            limits: { depth: 2, cost: 5 },
            operations: 'all',
          }),
        ],
      },
      platform,
    );
    const wire = await Wire.connect(`${url}/graphql`);
    wire.subscribe('1', '{ q { q { a } } }');
    expect(await wire.answer('1')).toMatchObject({ payload: [refusal('depth', 2)] });
    wire.subscribe('2', '{ dear }');
    expect(await wire.answer('2')).toMatchObject({ payload: [refusal('cost', 5)] });
  });
});

describe.each(platforms)('limits.cost on $name', (platform) => {
  /** The error for an operation, or its data. */
  const asker = async (cost: number, more: Partial<GraphqlMountOptions> = {}) => {
    const { url } = await serve({ imports: [mounted({ cost }, more)] }, platform);
    return async (text: string, variables?: object, operationName?: string) => {
      const { status, body } = await query(`${url}/graphql`, text, {}, variables, {
        operationName,
      });
      expect(status).toBeLessThan(500);
      return body.errors?.[0].message ?? 'runs';
    };
  };
  const dear = (cost: number, maximum: number) =>
    `The operation costs ${cost}, but the maximum is ${maximum}`;
  const LIST = 'query ($n: Int) { list(first: $n) { name } }';

  it('multiplies by arguments: written, by default, in variables and in their defaults', async () => {
    const ask = await asker(50);
    expect(await ask('{ list(first: 25) { name } }')).toBe('runs');
    expect(await ask('{ list(first: 26) { name } }')).toBe(dear(52, 50));
    expect(await ask('{ a: list { name } b: list { name } c: list { name } }')).toBe(dear(60, 50));
    expect(await ask(LIST, { n: 25 })).toBe('runs');
    expect(await ask(LIST, { n: 26 })).toBe(dear(52, 50));
    expect(await ask(LIST, { n: 25 })).toBe('runs');
    expect(await ask(LIST)).toBe('runs');
    const byDefault = 'query ($n: Int = 26) { list(first: $n) { name } }';
    expect(await ask(byDefault)).toBe(dear(52, 50));
    expect(await ask(byDefault, { n: 2 })).toBe('runs');
    const ids = Array.from({ length: 26 }, (_, i) => i);
    const byIds = 'query ($ids: [Int!]) { list(first: 1, ids: $ids) { name } }';
    expect(await ask(byIds, { ids })).toBe(dear(52, 50));
    expect(await ask(byIds, { ids: ids.slice(1) })).toBe('runs');
  });

  it('counts fragments at each use, and skips what the variables skip', async () => {
    const ask = await asker(100);
    expect(await ask('{ dear }')).toBe('runs');
    expect(await ask('{ ...F q { ...F } } fragment F on Query { dear }')).toBe(dear(161, 100));
    const conditional = 'query ($no: Boolean!) { dear q @skip(if: $no) { dear } }';
    expect(await ask(conditional, { no: false })).toBe(dear(161, 100));
    expect(await ask(conditional, { no: true })).toBe('runs');
    const included =
      'query ($yes: Boolean = false) { dear ...F @include(if: $yes) } fragment F on Query { q { dear } }';
    expect(await ask(included)).toBe('runs');
    expect(await ask(included, { yes: true })).toBe(dear(161, 100));
  });

  it('calculates the operation that runs', async () => {
    const ask = await asker(50);
    const two = 'query Cheap { a } query Dear { dear }';
    expect(await ask(two, {}, 'Cheap')).toBe('runs');
    expect(await ask(two, {}, 'Dear')).toBe(dear(80, 50));
    expect(await ask('{ dear }', {}, 'Unnamed')).toMatch(/operation/i);
    expect(await ask(two)).toMatch(/operation/i);
  });

  it('lets no negative argument pay for other fields', async () => {
    const ask = await asker(50);
    expect(await ask('{ dear list(first: -1) { name } }')).toBe(dear(82, 50));
  });

  it('lets no negative argument make an operation free', async () => {
    const ask = await asker(50);
    expect(await ask('{ list(first: -25) { name } }')).toBe('runs');
    expect(await ask('{ list(first: -26) { name } }')).toBe(dear(52, 50));
    expect(await ask(LIST, { n: -2000 })).toBe(dear(4000, 50));
    expect(await ask('query ($n: Int = -26) { list(first: $n) { name } }')).toBe(dear(52, 50));
  });

  it('leaves invalid variables to execution', async () => {
    const ask = await asker(50);
    // In graphql-js 17 it says `has`.
    expect(await ask(LIST, { n: 'many' })).toMatch(/Variable "\$n" (?:got|has) invalid value/);
    const wrong = Array.from({ length: 9_000 }, () => 'x');
    expect(await ask('query ($ids: [Int!]) { list(ids: $ids) { name } }', { ids: wrong })).toMatch(
      /Variable "\$ids" (?:got|has) invalid value/,
    );
  });

  it('refuses what has too many nodes to calculate', async () => {
    const ask = await asker(1_000_000);
    const nodes = '... { '.repeat(200);
    const fragments = `fragment F on Query { ${nodes} a ${'} '.repeat(200)} }`;
    expect(await ask(`{ q { ${'...F '.repeat(90)} } } ${fragments}`)).toBe(
      'The operation costs more than 1000000',
    );
  });
});

@ObjectType()
class Part {
  @Field(() => Int, { complexity: 40 })
  price!: number;
}

@Resolver()
class PartsResolver {
  @Query(() => [Part], {
    complexity: ({ args, childComplexity }) => Number(args['first']) * childComplexity,
  })
  parts(@Args('first', { type: () => Int, defaultValue: 1 }) first: number): Part[] {
    return Array.from({ length: first }, () => ({ price: 1 }));
  }
}

describe.each(platforms)('limits of Apollo on $name', (platform) => {
  const boot = async (limits: OperationLimits, sockets: OperationLimits = {}) => {
    const { url } = await serve(
      {
        imports: [
          GraphqlApolloModule.forRoot({ limits }),
          apolloModule({ formatError: formatApolloError }),
          GraphqlSubscriptionsModule.forApollo({ operations: 'all', limits: sockets }),
        ],
        providers: [PartsResolver],
      },
      platform,
    );
    return `${url}/graphql`;
  };

  it('hold over HTTP, with the hints of @Field and @Query', async () => {
    const url = await boot({ aliases: 1, cost: 100 });
    const PARTS = 'query ($n: Int!) { parts(first: $n) { price } }';
    expect((await query(url, PARTS, {}, { n: 2 })).body.data.parts).toHaveLength(2);
    const costly = await query(url, PARTS, {}, { n: 3 });
    expect(costly).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'The operation costs 120, but the maximum is 100' }] },
    });
    const aliased = await query(url, '{ a: parts { price } b: parts { price } }');
    expect(aliased).toMatchObject({ status: 400, body: { errors: [refusal('aliases', 1)] } });
    for (const { body } of [costly, aliased]) {
      expect(Object.keys(body.errors[0].extensions)).toEqual(['code', 'limit', 'maximum']);
    }
  });

  it('hold over sockets, where forApollo() may change them', async () => {
    const url = await boot({ aliases: 1, depth: 2 }, { aliases: 2 });
    const wire = await Wire.connect(url);
    wire.subscribe('1', '{ a: parts { price } b: parts { price } }');
    expect(await wire.events('1', 1)).toHaveLength(1);
    wire.subscribe('2', '{ a: parts { x: price } b: parts { price } }');
    expect(await wire.answer('2')).toMatchObject({ payload: [refusal('aliases', 2)] });
    wire.subscribe('3', '{ parts { price { a } } }');
    expect(await wire.answer('3')).toMatchObject({ payload: [refusal('depth', 2)] });
  });
});

describe('limits', () => {
  it.each([
    [{ depth: 0 }, 'limits.depth }) is 0, but must be a whole number of at least 1, or false'],
    [{ cost: 1.5 }, 'limits.cost }) is 1.5'],
    [{ fields: true }, 'limits.fields }) is true'],
    [{ dept: 5 }, 'Did you mean depth?'],
    [false, 'must be an object with'],
  ])('of %j stop the boot', async (limits, message) => {
    const wrong = limits as OperationLimits;
    const schema = buildSchema(typeDefs);
    for (const module of [
      () => mounted(wrong),
      () => GraphqlSubscriptionsModule.forRoot({ schema, limits: wrong }),
      () => GraphqlApolloModule.forRoot({ limits: wrong }),
    ]) {
      const booting = Promise.resolve().then(() => serve({ imports: [module()] }, platforms[0]!));
      await expect(booting).rejects.toMatchObject({
        code: 'GRAPHQL_BAD_OPTION',
        message: expect.stringContaining(message),
      });
    }
  });
});
