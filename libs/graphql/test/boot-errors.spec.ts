import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type DynamicModule, Logger } from '@nestjs/common';
import {
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlMountOptions,
  type GraphQlPluginOptions,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { GraphqlApolloModule } from '@fledge/graphql/apollo';
import { GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { yoga } from '@fledge/graphql/yoga';
import { buildSchema } from 'graphql';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';

afterEach(closeAll);

const typeDefs = 'type Query { hello: String }';

/** Of a root value whose methods use other properties. */
class Root {
  readonly helper = 1;
  hello = () => String(this.helper);
}

const onConect = () => false;
const misspelt = { schema: buildSchema(typeDefs), onConect };

const refused: [string, () => GraphqlMountOptions, object][] = [
  [
    'a path without a slash',
    () => ({ typeDefs, path: 'graphql' }),
    {
      code: 'GRAPHQL_BAD_OPTION',
      message:
        `GraphqlMountModule.forRoot({ path }) is "graphql", but must be a path of plain segments ` +
        `with a leading slash, such as '/graphql'.`,
    },
  ],
  ['a path with a wildcard', () => ({ typeDefs, path: '/g/*' }), { code: 'GRAPHQL_BAD_OPTION' }],
  [
    'an invalid path of sockets',
    () => ({ typeDefs, subscriptions: { path: 'ws' } }),
    { message: expect.stringContaining('subscriptions.path') },
  ],
  [
    'both typeDefs and schema',
    () => ({ name: 'Mine', typeDefs, schema: buildSchema(typeDefs) }),
    {
      code: 'GRAPHQL_BAD_OPTION',
      message: expect.stringMatching(/^Mine has both `typeDefs` and `schema`\. Pass one of them: /),
    },
  ],
  [
    'neither typeDefs nor schema',
    () => ({ name: 'Mine' }),
    {
      message: expect.stringMatching(
        /^Mine has neither `typeDefs` nor `schema`\. Pass one of them: /,
      ),
    },
  ],
  [
    'typeDefs with a syntax error',
    () => ({ typeDefs: 'type Query { hello String }' }),
    {
      code: 'GRAPHQL_BAD_SCHEMA',
      message:
        'GraphqlAdapter cannot serve its typeDefs: Syntax Error: Expected ":", found Name "String".',
    },
  ],
  [
    'typeDefs that name an unknown type',
    () => ({ typeDefs: 'type Query { hello: Strin }' }),
    { message: expect.stringContaining('Unknown type "Strin"') },
  ],
  [
    'typeDefs with directives of federation',
    () => ({
      typeDefs: 'type Query { book: Book } type Book @key(fields: "id") { id: ID! }',
    }),
    {
      code: 'GRAPHQL_BAD_SCHEMA',
      message:
        'GraphqlAdapter cannot serve its typeDefs: Unknown directive "@key". This directive belongs to Apollo ' +
        'Federation. Build the schema with buildSubgraphSchema() of @apollo/subgraph, and pass the result as `schema`.',
    },
  ],
  [
    'a schema without queries',
    () => ({ typeDefs: 'type Mutation { go: Int }' }),
    { message: expect.stringContaining('Query root type must be provided') },
  ],
  ['maxTokens of 0', () => ({ typeDefs, maxTokens: 0 }), { code: 'GRAPHQL_BAD_OPTION' }],
  [
    'documentCache of 0.5',
    () => ({ typeDefs, documentCache: 0.5 }),
    { code: 'GRAPHQL_BAD_OPTION' },
  ],
  [
    'a negative maxBodyBytes',
    () => ({ typeDefs, maxBodyBytes: -1 }),
    { code: 'GRAPHQL_BAD_OPTION' },
  ],
  [
    'a misspelt option',
    () => ({ typeDefs, instrospection: false }) as GraphqlMountOptions,
    {
      code: 'GRAPHQL_BAD_OPTION',
      message: expect.stringMatching(
        /^GraphqlMountModule\.forRoot\(\{ instrospection \}\) is not an option\. Did you mean introspection\? The options are name, /,
      ),
    },
  ],
  [
    'a misspelt option of subscriptions',
    () => ({ typeDefs, subscriptions: { onconect: () => false } }) as GraphqlMountOptions,
    {
      code: 'GRAPHQL_BAD_OPTION',
      message: expect.stringContaining(
        '({ subscriptions.onconect }) is not an option. Did you mean onConnect?',
      ),
    },
  ],
  [
    'a rule that is no function',
    () => ({ typeDefs, validationRules: ['x'] }) as unknown as GraphqlMountOptions,
    { message: expect.stringContaining('({ validationRules[0] }) is "x", but must be a function') },
  ],
  [
    'a root value that is a string',
    () => ({ typeDefs, rootValue: 'x' }) as unknown as GraphqlMountOptions,
    {
      message: expect.stringContaining('rootValue }) is "x", but must be an object or a function'),
    },
  ],
  ['an empty name', () => ({ typeDefs, name: '' }), { code: 'GRAPHQL_BAD_OPTION' }],
  [
    'subscriptions that are no object',
    () => ({ typeDefs, subscriptions: 'all' }) as unknown as GraphqlMountOptions,
    {
      code: 'GRAPHQL_BAD_OPTION',
      message: expect.stringMatching(
        /subscriptions \}\) is .*, but must be an object with .* or true or false/,
      ),
    },
  ],
];

describe.each(platforms)('invalid options on $name', (platform) => {
  const create = (...imports: DynamicModule[]) => createApp({ imports }, platform.adapter());

  it.each(refused)('stop the creation of the application: %s', async (_, given, error) => {
    // JavaScript applications can pass what the types refuse.
    const options = given as () => GraphQlPluginOptions;
    const inFactory = async () => {
      const { name = 'GraphqlAdapter' } = given();
      return create(GraphqlMountModule.forRootAsync({ name, useFactory: options }));
    };
    await expect(create(GraphqlMountModule.forRoot(options()))).rejects.toMatchObject(error);
    await expect(inFactory()).rejects.toMatchObject(error);
  });

  it.each([
    ['mountas', { mountas: 'route' }, 'mountAs'],
    ['a path, which the factory returns', { path: '/g' }, undefined],
  ])('are refused beside a factory: %s', (_, beside, nearest) => {
    const options = { ...beside, useFactory: () => ({ typeDefs, rootValue: {} }) };
    const guess = nearest ? ` Did you mean ${nearest}?` : '';
    expect(() => GraphqlMountModule.forRootAsync(options)).toThrow(
      `GraphqlMountModule.forRootAsync({ ${Object.keys(beside)[0]} }) is not an option.${guess} The options are name, mountAs,`,
    );
  });

  it.each([
    ['GraphqlSubscriptionsModule.forRoot', () => GraphqlSubscriptionsModule.forRoot(misspelt)],
    [
      'GraphqlSubscriptionsModule.forRoot',
      () => GraphqlSubscriptionsModule.forRootAsync({ useFactory: () => misspelt }),
    ],
    [
      'GraphqlSubscriptionsModule.forApollo',
      () => GraphqlSubscriptionsModule.forApollo({ onConect } as object),
    ],
    [
      'GraphqlSubscriptionsModule.forMercurius',
      () => GraphqlSubscriptionsModule.forMercurius({ onConect } as object),
    ],
  ])('stop the boot: a misspelt option of %s', async (call, imported) => {
    const boot = async () => create(imported());
    await expect(boot()).rejects.toMatchObject({
      code: 'GRAPHQL_BAD_OPTION',
      message: expect.stringContaining(
        `${call}({ onConect }) is not an option. Did you mean onConnect?`,
      ),
    });
  });

  it.each<[string, () => DynamicModule, string | undefined]>([
    [
      'a misspelt field',
      () => GraphqlMountModule.forRoot({ typeDefs, rootValue: { helo: 'world' } }),
      'GraphqlMountModule.forRoot({ rootValue.helo }) has no effect. Did you mean hello? It is not a field of Query, Mutation or Subscription.',
    ],
    [
      'a type in the value of a function',
      () => GraphqlMountModule.forRoot({ typeDefs, rootValue: () => ({ Query: {} }) }),
      'rootValue.Query }) has no effect',
    ],
    [
      'a misspelt field of sockets',
      () =>
        GraphqlSubscriptionsModule.forRoot({
          schema: buildSchema(typeDefs),
          rootValue: { helo: 'world' },
        }),
      'rootValue.helo }) has no effect',
    ],
    [
      'no properties of a class',
      () => GraphqlMountModule.forRoot({ typeDefs, rootValue: new Root() as never }),
      undefined,
    ],
  ])('of a root value only cause a warning: %s', async (_, module, text) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    await create(module());
    const texts = warn.mock.calls.map(([logged]) => String(logged));
    expect(texts.filter((each) => each.includes('rootValue'))).toEqual(
      text === undefined ? [] : [expect.stringContaining(text)],
    );
    warn.mockRestore();
  });

  it('stop the boot: a misspelt option of GraphqlApolloModule', () => {
    expect(() => GraphqlApolloModule.forRoot({ nam: 'A' } as object)).toThrow(
      'GraphqlApolloModule.forRoot({ nam }) is not an option. Did you mean name? The options are name, path, limits, explorer, traceDocument.',
    );
  });

  it.each([GraphqlMountModule, GraphqlApolloModule, GraphqlMercuriusModule])(
    'stop the creation: %p without forRoot()',
    async (module) => {
      await expect(createApp({ imports: [module] }, platform.adapter())).rejects.toMatchObject({
        code: 'GRAPHQL_BAD_OPTION',
        message: `${module.name} has no options. Import ${module.name}.forRoot().`,
      });
    },
  );

  it.each([
    ['"x"', 'x'],
    ['null', null],
    ['an empty list', []],
    ['a function', () => ({ typeDefs })],
  ])('stop the creation: %s instead of the options', async (text, given) => {
    expect(() => GraphqlMountModule.forRoot(given as never)).toThrow(
      `GraphqlMountModule.forRoot() is ${text}, but must be an object with \`typeDefs\` or \`schema\`.`,
    );
    const useFactory = () => given as never;
    await expect(create(GraphqlMountModule.forRootAsync({ useFactory }))).rejects.toMatchObject({
      code: 'GRAPHQL_BAD_OPTION',
      message: expect.stringMatching(/^GraphqlAdapter has no options\. Pass a schema: /),
    });
  });

  it('stop the creation: a name that the factory returns', async () => {
    const useFactory = () => ({ typeDefs, name: 'Mine' });
    await expect(create(GraphqlMountModule.forRootAsync({ useFactory }))).rejects.toMatchObject({
      code: 'GRAPHQL_BAD_OPTION',
      message:
        `The factory of GraphqlMountModule.forRootAsync() returns name: 'Mine', but name is read before factories run. ` +
        `Set it next to the factory: forRootAsync({ name: 'Mine', useFactory }).`,
    });
  });

  it.each([
    ['graphqlHttp', graphqlHttp],
    ['yoga', yoga],
  ])('stop the startup: a runtime that is not called: %s', async (name, runtime) => {
    // JavaScript applications can pass what the types refuse.
    const app = await create(
      GraphqlMountModule.forRoot({ typeDefs, runtime: runtime as () => never }),
    );
    await expect(app.init()).rejects.toMatchObject({
      code: 'GRAPHQL_BAD_OPTION',
      message: `The runtime of GraphqlAdapter is the function ${name} itself. Call it: runtime: ${name}().`,
    });
  });

  it('stop the bootstrap: an invalid schema that another module builds', async () => {
    const app = await create(
      GraphqlMountModule.forRoot({
        schema: () => buildSchema('type Mutation { go: Int }'),
      }),
    );
    await expect(app.init()).rejects.toMatchObject({ code: 'GRAPHQL_BAD_SCHEMA' });
  });

  it('stop the creation: two mounts with one name or one path', async () => {
    const mount = (name: string, path: string) =>
      GraphqlMountModule.forRoot({ typeDefs, name, path });
    await expect(create(mount('A', '/a'), mount('A', '/b'))).rejects.toMatchObject({
      code: 'GRAPHQL_BAD_OPTION',
      message:
        `Two GraphQL endpoints are named "A": at /a and at /b. ` +
        `Give one of them another name: forRoot({ name: '...' }).`,
    });
    await expect(create(mount('A', '/a'), mount('B', '/a'))).rejects.toMatchObject({
      message: `A and B are both mounted at /a. Give one of them another path: forRoot({ path: '...' }).`,
    });
    await expect(create(mount('A', '/a'), mount('B', '/A'))).rejects.toMatchObject({
      message: `A and B are both mounted at /A and /a, which differ only in case. Give one of them another path: forRoot({ path: '...' }).`,
    });
  });
});
