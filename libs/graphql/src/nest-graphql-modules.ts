import { contextOfRequest } from '@fledge/core/packages';
import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { GraphQLModule, GraphQLSchemaHost } from '@nestjs/graphql';
import type { GraphQLSchema } from 'graphql';
import { loadPeer } from './load-peer.js';

/** A `GraphQLModule` of the application, and the schema host of this module. */
export interface NestGraphqlModule {
  readonly module: GraphQLModule;
  readonly host: GraphQLSchemaHost;
}

/**
 * Finds the `GraphQLModule`s of the application.
 * @param user feature that requires the modules. The error names it
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
 * Returns the paths of the `GraphQLModule`s of the application. A path includes the global prefix
 * if the module uses the prefix. Modules have no path before they are initialized.
 */
export function nestGraphqlPaths(modules: ModulesContainer): string[] {
  return [...modules.values()]
    .filter(({ metatype }) => metatype.name === 'GraphQLModule')
    .flatMap(({ instance }) => completeOptionsOf(instance as unknown as GraphQLModule)?.path ?? []);
}

/**
 * Returns the options of a `GraphQLModule` after its driver has added the defaults. Returns
 * undefined before the module is initialized.
 */
export function completeOptionsOf({
  completeOptions,
}: GraphQLModule): NestSocketOptions | undefined {
  const options = completeOptions as unknown as GatewayOptions | NestSocketOptions | undefined;
  return options && 'server' in options ? options.server : options;
}

/** The options of Apollo's gateway driver. This driver reads the options of its server here. */
interface GatewayOptions {
  readonly server: NestSocketOptions;
}

/**
 * Changes the options of a `GraphQLModule` before its driver merges the options with Nest's
 * defaults. Call this before modules are initialized. If it is called several times, the last
 * change runs first.
 */
export function changeOptions<Options extends object>(
  { module }: NestGraphqlModule,
  change: (options: Options) => Options,
): void {
  const driver = driverOf<Options>(module);
  const merge = driver.mergeDefaultOptions.bind(driver);
  driver.mergeDefaultOptions = (given, ...more) => {
    const options = given as Options & { readonly server?: Options };
    const isGateway = 'server' in options || driver.constructor.name === 'ApolloGatewayDriver';
    const changed = isGateway
      ? { ...options, server: change(options.server ?? ({} as Options)) }
      : change(options);
    return merge(changed, ...more);
  };
}

/** Makes the startup fail if a `GraphQLModule` has no `context`. Call this before modules are initialized. */
export function requireContext(graphqlModule: NestGraphqlModule, missing: () => Error): void {
  changeOptions<{ readonly context?: unknown }>(graphqlModule, (options) => {
    if (options.context === undefined) throw missing();
    return options;
  });
}

interface Driver<Options> {
  mergeDefaultOptions(options: Options, ...more: unknown[]): Promise<unknown>;
  /** The promise resolves to null if the module is a gateway. */
  generateSchema(options: Options): Promise<GraphQLSchema | null>;
}

export function driverOf<Options>(module: GraphQLModule): Driver<Options> {
  return module.graphQlAdapter as unknown as Driver<Options>;
}

/** The resolved options of a `GraphQLModule` for its own sockets. */
export interface NestSocketOptions {
  /** The path includes the global prefix if `useGlobalPrefix` is set. */
  readonly path: string;
  readonly subscriptions?: { readonly 'graphql-ws'?: boolean | { readonly path?: string } };
}

/**
 * Returns the path of the sockets that a `GraphQLModule` serves itself.
 * @param own the option that enables these sockets
 */
export function nestSocketPath(
  { path, subscriptions }: NestSocketOptions,
  own = subscriptions?.['graphql-ws'],
): string | undefined {
  if (!own) return undefined;
  return (typeof own === 'object' ? own.path : undefined) ?? path;
}

/**
 * Returns a provider of the application that serves a request. Static functions in the options of
 * `GraphQLModule` use this.
 * @param request the request of Express, Fastify or Node
 */
export function providerFor<T>(request: object, provider: Type<T>): T | undefined {
  const found = contextOfRequest(request)?.memo(LOOK_UP, (lookUp) => lookUp)(provider);
  return found as T | undefined;
}

const LOOK_UP = Symbol('fledge:providers-for-graphql-module');

/** Token of the options of `GraphqlApolloModule` or `GraphqlMercuriusModule`. */
export const NEST_OPTIONS = Symbol('fledge:NestOptions');
