import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { execute } from 'graphql';
import { protectionOf } from '../documents/request-documents.js';
import { NestGraphqlError, SocketPathTakenError } from '../graphql.errors.js';
import type { ProtectionOptions } from '../operation/protection.options.js';
import type { ApolloSubscriptionsOptions } from './subscription.options.js';
import type { OperationCounts } from '../operation/operation-counts.js';
import { OperationSpans } from '../operation/operation-spans.js';
import { nestGraphqlModules } from './nest-graphql-modules.js';
import { socketPathOf, urlOf } from './socket-path.js';
import type { SubscriptionSource } from './subscription-source.js';

/** The resolved options of a `GraphQLModule` that are used here. */
interface NestOptions extends Pick<
  ProtectionOptions,
  'introspection' | 'validationRules' | 'formatError'
> {
  /** Includes the global prefix with `useGlobalPrefix`. */
  readonly path: string;
  readonly useGlobalPrefix?: boolean;
  readonly installSubscriptionHandlers?: boolean;
  /** Mercurius' own subscriptions. */
  readonly subscription?: unknown;
  readonly subscriptions?: { readonly 'graphql-ws'?: true | { readonly path?: string } };
}

/** Returns a source that serves the schema of a `GraphQLModule`, built when that module is initialized. */
export function nestGraphqlSource(
  { path, guardEvents = false, ...given }: ApolloSubscriptionsOptions,
  modules: ModulesContainer,
  config: ApplicationConfig,
  counts: OperationCounts,
): SubscriptionSource {
  const urlIn = (options: NestOptions) => {
    if (path === undefined) return options.path;
    return options.useGlobalPrefix ? urlOf(socketPathOf(path), config) : socketPathOf(path);
  };
  return async () => {
    const found = await nestGraphqlModules(modules, 'GraphqlSubscriptionsModule.forApollo()');
    const all = found.map(({ module, host }) => ({
      // Set when the module was initialized.
      options: module.completeOptions as unknown as NestOptions,
      host,
    }));
    const nest =
      all.length === 1 ? all[0] : all.find(({ options }) => urlIn(options) === options.path);
    if (nest === undefined || (all.length > 1 && path === undefined)) {
      throw new NestGraphqlError(all.map(({ options }) => options.path));
    }
    const { options, host } = nest;
    refuseSecondServer(options, urlIn(options));
    return {
      path: socketPathOf(path ?? options.path),
      url: urlIn(options),
      schema: () => host.schema,
      rootValue: undefined,
      ...protectionOf({ ...optionsOf(options), ...given }),
      counts,
      execute,
      tracer: new OperationSpans(given.traceDocument),
      limits: given,
      // Nest runs guards, also core's, for its resolvers.
      before: () => undefined,
      guards: guardEvents ? 'events' : 'checks',
    };
  };
}

/** Refuses a second server at the same path. Its `onConnect`, which may authenticate, would stop running. */
function refuseSecondServer(options: NestOptions, url: string): void {
  const { subscriptions, subscription, installSubscriptionHandlers, path } = options;
  if (subscription) throw new SocketPathTakenError(url, '`subscription` of GraphQLModule');
  const own = subscriptions?.['graphql-ws'] ?? installSubscriptionHandlers;
  if (!own) return;
  const ownPath = typeof own === 'object' ? (own.path ?? path) : path;
  if (ownPath === url) throw new SocketPathTakenError(url, '`subscriptions` of GraphQLModule');
}

/** Returns the module's options that also apply to sockets. Apollo plugins do not. */
function optionsOf({ introspection, validationRules, formatError }: NestOptions) {
  return {
    ...(introspection !== undefined && { introspection }),
    // Mercurius also takes a function, which reads the parameters of a request.
    ...(Array.isArray(validationRules) && { validationRules }),
    ...(formatError && { formatError }),
  };
}
