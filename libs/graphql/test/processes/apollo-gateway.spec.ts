// In the tier of processes, because that tier builds the page of the explorer.
// A gateway of Apollo Federation has the same protections as other `GraphQLModule`s.
import { IntrospectAndCompose, RemoteGraphQLDataSource } from '@apollo/gateway';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApolloGatewayDriver, type ApolloGatewayDriverConfig } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import { getGraphqlAdapterToken, type GraphqlAdapter, GraphqlMountModule } from '@fledge/graphql';
import {
  formatApolloError,
  GraphqlApolloModule,
  GraphqlContextFactory,
} from '@fledge/graphql/apollo';
import { parse } from 'graphql';
import { closeAll, type Platform, platforms, serve } from '../../../../test/support/platforms.js';
import { call, query } from '../support/requests.js';

const NODE_ENV = process.env['NODE_ENV'];

afterEach(async () => {
  process.env['NODE_ENV'] = NODE_ENV;
  await closeAll();
});

class Subgraph extends RemoteGraphQLDataSource {
  // The default agent is slow with jest's source maps.
  override fetcher = fetch as unknown as RemoteGraphQLDataSource['fetcher'];
}

const typeDefs = parse('type Query { vermilion: String, big: String }');
const resolvers = { Query: { vermilion: () => 'red' } };

async function serveGateway(platform: Platform, server: ApolloGatewayDriverConfig['server'] = {}) {
  const subgraph = await serve(
    {
      imports: [
        GraphqlMountModule.forRoot({ schema: buildSubgraphSchema([{ typeDefs, resolvers }]) }),
      ],
    },
    platform,
    undefined,
    { forceCloseConnections: true },
  );
  const { app, url } = await serve(
    {
      imports: [
        GraphqlApolloModule.forRoot({ path: '/gateway', limits: { aliases: 2 } }),
        GraphQLModule.forRoot<ApolloGatewayDriverConfig>({
          driver: ApolloGatewayDriver,
          server: {
            path: '/gateway',
            context: GraphqlContextFactory.create,
            plugins: [GraphqlContextFactory.metricsPlugin()],
            formatError: formatApolloError,
            ...server,
          },
          gateway: {
            supergraphSdl: new IntrospectAndCompose({
              subgraphs: [{ name: 'colors', url: `${subgraph.url}/graphql` }],
            }),
            buildService: ({ url: of = '' }) => new Subgraph({ url: of }),
          },
        }),
      ],
    },
    platform,
  );
  const { metrics } = app
    .get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false })
    .introspect();
  return { subgraph: subgraph.app, url: `${url}/gateway`, metrics };
}

const tooMany = '{ a: vermilion b: vermilion c: vermilion }';

describe.each(platforms)('a gateway on $name', (platform) => {
  it('applies limits and hides suggestions and stacks', async () => {
    process.env['NODE_ENV'] = 'production';
    const { url } = await serveGateway(platform);
    expect((await query(url, '{ vermilion }')).body).toEqual({ data: { vermilion: 'red' } });
    const { status, body } = await query(url, tooMany);
    expect([status, body.errors[0].extensions]).toEqual([
      400,
      { code: 'GRAPHQL_LIMIT_EXCEEDED', limit: 'aliases', maximum: 2 },
    ]);
    const typo = JSON.stringify((await query(url, '{ vermilon }')).body);
    expect(typo).toContain('Cannot query field');
    expect(typo).not.toContain('vermilion');
    expect(typo).not.toContain('stacktrace');
  });

  it('sends no stacks outside of production, and serves the explorer', async () => {
    process.env['NODE_ENV'] = 'development';
    const { url } = await serveGateway(platform);
    expect(JSON.stringify((await query(url, '{ vermilon }')).body)).not.toContain('stacktrace');
    const page = await call(url, { headers: { accept: 'text/html' } });
    expect(page.body).toContain('<title>');
    expect(page.body).not.toMatch(/graphiql/i);
  });

  it('masks the address of a subgraph that does not respond', async () => {
    process.env['NODE_ENV'] = 'production';
    const { url, subgraph } = await serveGateway(platform);
    await subgraph.close();
    const { body } = await query(url, '{ vermilion }');
    expect(body.errors).toEqual([expect.objectContaining({ message: 'Internal server error' })]);
  });

  it('starts only with a context factory', async () => {
    await expect(serveGateway(platform, { context: undefined })).rejects.toMatchObject({
      code: 'GRAPHQL_NO_APOLLO_CONTEXT',
    });
  });
});
