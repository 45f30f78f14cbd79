import type { Container } from '@fledge/core';
import type { GraphQLSchema } from 'graphql';
import type { GraphqlContext } from './context/graphql-context.js';
import type { ProtectionOptions } from './operation/protection.js';
import type { GraphqlRuntime } from './runtime/runtime.js';

/** A schema and its root resolvers. */
export interface GraphQlPluginOptions {
  /** The schema, in GraphQL's schema definition language. */
  readonly typeDefs: string;
  /** Root fields: values, or functions of `(args, { ctx, container }, info)`. */
  readonly rootValue: Record<string, unknown>;
  /** Where it is served, below a global prefix. @default '/graphql' */
  readonly path?: string;
}

/** A schema whose root resolvers get the application's providers. */
export interface GraphqlAdapterOptions {
  /** The schema, in GraphQL's schema definition language. */
  readonly typeDefs: string;
  /** Where it is served, below a global prefix. @default '/graphql' */
  readonly path?: string;
}

/** Options of `GraphqlMountModule.forRoot()`. Either `typeDefs` or `schema` is required. */
export interface GraphqlMountOptions extends Partial<GraphqlAdapterOptions>, ProtectionOptions {
  /** Names the mount in errors and introspection, and its provider: `getGraphqlAdapterToken(name)`. @default 'GraphqlAdapter' */
  readonly name?: string;
  /** Root fields: values, or functions of `(args, { ctx, container }, info)`. A function of the container is called once, at boot. @default none */
  readonly rootValue?:
    Record<string, unknown> | ((container: Container) => Record<string, unknown>);
  /** A compiled schema instead of `typeDefs`; a function is called at the first use. @default compiled from `typeDefs` */
  readonly schema?: GraphQLSchema | (() => GraphQLSchema);
  /** What speaks GraphQL over HTTP: `graphqlHttp()`, `yoga()` or your own. @default graphqlHttp() */
  readonly runtime?: GraphqlRuntime;
  /** As middleware, no guard of Nest runs; as a route, the application's do. @default 'middleware' */
  readonly mountAs?: 'middleware' | 'route';
  /** Bytes of a request body, where the mount reads it: as middleware, where no body parser did. @default 1048576 (1 MiB) */
  readonly maxBodyBytes?: number;
  /** Subscriptions over WebSocket (graphql-ws), under the same protection. @default none */
  readonly subscriptions?: (SubscriptionLimits & { readonly path?: string }) | true;
}

/** What a socket may do. */
export interface SubscriptionLimits {
  /** Whether queries and mutations are served too. @default 'subscription' */
  readonly operations?: 'subscription' | 'all';
  /** Bytes of one message. @default 1048576 (1 MiB) */
  readonly maxPayload?: number;
  /** Operations running on one socket at once. @default 100 */
  readonly maxSubscriptions?: number;
  /** Values of `Origin` to let in besides the request's own host, `'*'` for all; a request without one is no browser's and passes. @default none */
  readonly origins?: readonly string[];
  /** Milliseconds the application waits for clients to go when it closes. @default 2000 */
  readonly gracePeriodMs?: number;
  /** Milliseconds for `connection_init` to arrive. @default 3000 */
  readonly initTimeoutMs?: number;
  /** Names of headers that `connectionParams` may supply where the upgrade request has none. @default 'authorization' and the tenant's */
  readonly connectionHeaders?: readonly string[];
  /**
   * Lets a connection in; false or throwing closes it with 4403 and no reason. What it sets in
   * `context.ctx` is in the context of every operation of the socket. @default everyone
   */
  onConnect?(
    params: Readonly<Record<string, unknown>>,
    context: GraphqlContext,
  ): boolean | void | Promise<boolean | void>;
}
