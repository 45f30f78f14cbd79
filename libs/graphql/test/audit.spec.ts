import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { auditServer } from 'graphql-http';
import { graphqlHttp, GraphqlMountModule, type GraphqlMountOptions } from '@fledge/graphql';
import { jit } from '@fledge/graphql/jit';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const hello = { typeDefs: 'type Query { hello: String }', rootValue: { hello: () => 'world' } };

type Cases = readonly (readonly [string, Partial<GraphqlMountOptions>, object])[];

/** Audits that send variables with `query Type($name: String!) { __type(name: $name) { name } }`. */
const OF_TYPE = ['2EA1', '28B9', 'D6D5', '6A70'];

const runtimes = [
  ['graphqlHttp() as middleware', {}, {}],
  ['graphqlHttp() without a body parser', {}, { bodyParser: false }],
  ['graphqlHttp() as route', { mountAs: 'route' }, {}],
  [
    'graphqlHttp() with event streams and batches',
    { runtime: graphqlHttp({ eventStreams: true, batch: { limit: 5 } }) },
    {},
  ],
  ['yoga()', { runtime: yoga() }, {}],
  ['yoga() as route', { runtime: yoga(), mountAs: 'route' }, {}],
] as const satisfies Cases;

const withOptions = [
  ['graphqlHttp() with automatic persisted queries', { documents: 'automatic' }, {}],
  ['graphqlHttp() with jit()', { executor: jit({ after: 1 }) }, {}],
  ['yoga() with automatic persisted queries', { runtime: yoga(), documents: 'automatic' }, {}],
] as const satisfies Cases;

describe.each(platforms)('the audit of GraphQL over HTTP on $name', (platform) => {
  async function audit(options: Partial<GraphqlMountOptions>, app: object) {
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...hello, ...options })] },
      platform,
      undefined,
      app,
    );
    const results = await auditServer({ url: `${url}/graphql` });
    expect(results).toHaveLength(61);
    return results.filter(({ status }) => status !== 'ok');
  }

  it.each([...runtimes, ...withOptions])('finds nothing at %s', async (_, options, app) => {
    expect(await audit(options, app)).toEqual([]);
  });

  describe('in production', () => {
    const before = process.env['NODE_ENV'];

    beforeEach(() => {
      process.env['NODE_ENV'] = 'production';
    });
    afterEach(() => {
      process.env['NODE_ENV'] = before;
    });

    it.each(runtimes)('finds nothing at %s with introspection', async (_, options, app) => {
      expect(await audit({ ...options, introspection: true }, app)).toEqual([]);
    });

    it.each(runtimes)('finds the four queries of __type at %s', async (_, options, app) => {
      const found = await audit(options, app);
      expect(found.map(({ id }) => id)).toEqual(OF_TYPE);
      for (const { name } of found) expect(name).toContain('{variables} parameter');
    });
  });
});
