import {
  type GraphQLDataSourceProcessOptions,
  IntrospectAndCompose,
  RemoteGraphQLDataSource,
} from '@apollo/gateway';
import { type GraphqlContext, type GraphqlMountOptions } from '@fledge/graphql';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { ApolloGatewayDriver, type ApolloGatewayDriverConfig } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { type Platform, serve } from './platforms.js';
import { names, subgraph } from './subgraphs.js';

const FORWARDED = ['authorization', 'x-tenant-id', 'x-user'];

/** Forwards headers to a subgraph. If the subgraph rejects a request, passes its errors on. */
class Subgraph extends RemoteGraphQLDataSource<GraphqlContext> {
  // The default agent captures a stack trace for each connection, which is slow with jest's source
  // maps.
  override fetcher = fetch as unknown as RemoteGraphQLDataSource['fetcher'];

  override willSendRequest({ request, context }: GraphQLDataSourceProcessOptions<GraphqlContext>) {
    // The context is empty while the gateway composes the schema.
    const headers = (context as Partial<GraphqlContext>).ctx?.headers ?? {};
    for (const name of FORWARDED) {
      const value = headers[name];
      if (typeof value === 'string') request.http?.headers.set(name, value);
    }
  }

  override async errorFromResponse(
    response: Parameters<RemoteGraphQLDataSource['errorFromResponse']>[0],
  ) {
    const error = await super.errorFromResponse(response);
    const { body } = error.extensions['response'] as {
      body?: { errors?: GraphQLFormattedError[] };
    };
    const { message, extensions } = body?.errors?.[0] ?? { message: error.message };
    return new GraphQLError(message, { extensions });
  }
}

/** Starts a gateway in front of the three subgraphs. Each is an application on its own port. */
export async function serveFederation(
  platform: Platform,
  options: Partial<GraphqlMountOptions> = {},
) {
  const start = (module: Parameters<typeof serve>[0]) =>
    serve(module, platform, undefined, { forceCloseConnections: true });
  const services = await Promise.all(
    names.map(async (name) => {
      const { app, url } = await start(subgraph(name, options));
      return { name, app, url: `${url}/graphql` };
    }),
  );
  const { url } = await start({
    imports: [
      GraphqlApolloModule.forRoot(),
      GraphQLModule.forRoot<ApolloGatewayDriverConfig>({
        driver: ApolloGatewayDriver,
        server: { context: GraphqlContextFactory.create },
        gateway: {
          supergraphSdl: new IntrospectAndCompose({
            subgraphs: services.map((each) => ({ name: each.name, url: each.url })),
            introspectionHeaders: { 'x-tenant-id': 'composition' },
          }),
          buildService: ({ url: of = '' }) => new Subgraph({ url: of }),
        },
      }),
    ],
  });
  return { services, url: `${url}/graphql` };
}
