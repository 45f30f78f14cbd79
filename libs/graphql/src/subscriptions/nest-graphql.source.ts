import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { NestGraphqlError, SocketPathTakenError } from '../graphql.errors.js';
import type { OperationCounts } from '../operation/operation-counts.js';
import { Protection, type ProtectionOptions } from '../operation/protection.js';
import { nestGraphqlModules } from './nest-graphql-modules.js';
import { socketPathOf, urlOf } from './socket-path.js';
import type { SubscriptionSource } from './subscription.source.js';
import type { ApolloSubscriptionsOptions } from './subscriptions.options.js';

/** What a GraphQLModule made of its options, as far as we use it. */
interface NestOptions extends Pick<
  ProtectionOptions,
  'introspection' | 'validationRules' | 'formatError'
> {
  /** With the global prefix, where that is used. */
  readonly path: string;
  readonly useGlobalPrefix?: boolean;
  readonly installSubscriptionHandlers?: boolean;
  readonly subscriptions?: { readonly 'graphql-ws'?: true | { readonly path?: string } };
}

/** Serves the schema that a GraphQLModule of `@nestjs/graphql` builds when it is initialised. */
export function nestGraphqlSource(
  { path, ...given }: ApolloSubscriptionsOptions,
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
      // Complete since the module was initialized.
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
      protection: new Protection({ ...protectionOf(options), ...given }),
      counts,
      limits: given,
      // Nest's guards run for its resolvers, ours among them.
      before: () => undefined,
    };
  };
}

/** Its own server would hear nothing any more, its `onConnect` included, which may be a login. */
function refuseSecondServer(options: NestOptions, url: string): void {
  const { subscriptions, installSubscriptionHandlers, path } = options;
  const own = subscriptions?.['graphql-ws'] ?? installSubscriptionHandlers;
  if (!own) return;
  const ownPath = typeof own === 'object' ? (own.path ?? path) : path;
  if (ownPath === url) throw new SocketPathTakenError(url, "GraphQLModule's own `subscriptions`");
}

/** What guards the schema over HTTP guards it here, as far as it is no plugin of Apollo's. */
function protectionOf({ introspection, validationRules, formatError }: NestOptions) {
  return {
    ...(introspection !== undefined && { introspection }),
    ...(validationRules && { validationRules }),
    ...(formatError && { formatError }),
  };
}
