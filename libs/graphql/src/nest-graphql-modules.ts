import type { ModulesContainer } from '@nestjs/core';
import type { GraphQLModule, GraphQLSchemaHost } from '@nestjs/graphql';
import { loadPeer } from './load-peer.js';

/** A `GraphQLModule` of the application and the host of its schema. */
export interface NestGraphqlModule {
  readonly module: GraphQLModule;
  readonly host: GraphQLSchemaHost;
}

/**
 * Finds the `GraphQLModule`s of the application.
 * @param user the feature that needs them, for the error
 * @throws MissingPeerError
 */
export async function nestGraphqlModules(
  modules: ModulesContainer,
  user: string,
): Promise<NestGraphqlModule[]> {
  const nest = await loadPeer('@nestjs/graphql', user, () => import('@nestjs/graphql'));
  return [...modules.values()]
    .filter(({ metatype }) => metatype === nest.GraphQLModule)
    .map(({ instance, providers }) => ({
      module: instance as unknown as GraphQLModule,
      host: providers.get(nest.GraphQLSchemaHost)?.instance as GraphQLSchemaHost,
    }));
}
