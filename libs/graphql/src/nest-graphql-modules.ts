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

/**
 * Changes the options of a `GraphQLModule` before its driver merges them with Nest's defaults. Call it before modules
 * are initialized. Of several changes, the last one added runs first.
 */
export function changeOptions<Options>(
  { module }: NestGraphqlModule,
  change: (options: Options) => Options,
): void {
  const driver = module.graphQlAdapter as unknown as Driver<Options>;
  const merge = driver.mergeDefaultOptions.bind(driver);
  driver.mergeDefaultOptions = (options, ...more) => merge(change(options), ...more);
}

/** The member of a `@nestjs/graphql` driver that is used here. */
interface Driver<Options> {
  mergeDefaultOptions(options: Options, ...more: unknown[]): Promise<unknown>;
}
