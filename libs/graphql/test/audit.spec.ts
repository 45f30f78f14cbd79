import { afterEach, describe, expect, it } from '@jest/globals';
import { auditServer } from 'graphql-http';
import { graphqlHttp, GraphqlMountModule } from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const hello = { typeDefs: 'type Query { hello: String }', rootValue: { hello: () => 'world' } };

describe.each(platforms)('the audit of GraphQL over HTTP on $name', (platform) => {
  it.each([
    ['graphqlHttp() as middleware', {}, {}],
    ['graphqlHttp() without a body parser', {}, { bodyParser: false }],
    ['graphqlHttp() as route', { mountAs: 'route' as const }, {}],
    ['graphqlHttp() with event streams', { runtime: graphqlHttp({ eventStreams: true }) }, {}],
    ['yoga()', { runtime: yoga() }, {}],
    ['yoga() as route', { runtime: yoga(), mountAs: 'route' as const }, {}],
  ])('finds nothing at %s', async (_, options, app) => {
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...hello, ...options })] },
      platform,
      undefined,
      app,
    );
    const results = await auditServer({ url: `${url}/graphql` });
    expect(results).toHaveLength(61);
    expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
  });
});
