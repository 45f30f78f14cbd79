// Rules that see the variables, and runtimes that read a body twice.
import { afterEach, describe, expect, it } from '@jest/globals';
import { GraphqlMountModule, type GraphqlMountOptions } from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { GraphQLError, type ValidationRule } from 'graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';

afterEach(async () => {
  hangUp();
  await closeAll();
});

const schema = {
  typeDefs:
    'type Query { list(first: Int): String } type Subscription { list(first: Int): String }',
  rootValue: { list: ({ first }: { first: number }) => String(first) },
};

/** Refuses lists of more than ten. */
const operationRules: GraphqlMountOptions['operationRules'] = ({ variables }) => {
  const cheap: ValidationRule = (context) => ({
    Field: (node) => {
      if (Number(variables?.['n']) > 10) {
        context.reportError(new GraphQLError('Too expensive', { nodes: node }));
      }
    },
  });
  return [cheap];
};
const LIST = 'query ($n: Int) { list(first: $n) }';
const refusal = {
  message: 'Too expensive',
  extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
};

describe.each(platforms)('operationRules on $name', (platform) => {
  it.each([
    ['graphqlHttp()', {}],
    ['yoga()', { runtime: yoga() }],
  ])('see the variables of each operation of %s', async (_name, more) => {
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...schema, ...more, operationRules })] },
      platform,
    );
    const ask = async (n: number) => (await query(`${url}/graphql`, LIST, {}, { n })).body;
    expect(await ask(5)).toEqual({ data: { list: '5' } });
    expect(await ask(50)).toMatchObject({ errors: [refusal] });
    expect(await ask(6)).toEqual({ data: { list: '6' } });
  });

  it('see the variables of sockets', async () => {
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            ...schema,
            operationRules,
            subscriptions: { operations: 'all' },
          }),
        ],
      },
      platform,
    );
    const wire = await Wire.connect(`${url}/graphql`);
    wire.subscribe('1', LIST, { variables: { n: 50 } });
    expect(await wire.answer('1')).toMatchObject({ type: 'error', payload: [refusal] });
    wire.subscribe('2', LIST, { variables: { n: 5 } });
    expect(await wire.events('2', 1)).toEqual([{ list: '5' }]);
  });
});

describe.each(platforms)('a runtime that reads the body itself on $name', (platform) => {
  it.each(['middleware', 'route'] as const)('is answered as %s', async (mountAs) => {
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            ...schema,
            mountAs,
            runtime: () => (req, res) => {
              req.on('data', () => undefined);
              req.on('end', () => res.end('read'));
            },
          }),
        ],
      },
      platform,
    );
    const { status, body } = await query(`${url}/graphql`, '{ list }');
    expect(status).toBe(500);
    expect(body.errors[0].message).toContain('from req.body instead');
  });
});
