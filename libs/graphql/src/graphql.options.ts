import type { Container } from '@fledge/core';
import type { ConfigurableModuleAsyncOptions } from '@nestjs/common';
import type { GraphQLSchema } from 'graphql';
import type { GraphqlExecutor } from './operation/served-schema.js';
import type {
  OperationLimits,
  ProtectionOptions,
  TraceOptions,
} from './operation/protection.options.js';
import type { SubscriptionLimits } from './live/subscription.options.js';
import type { GraphqlRuntime } from './http/runtime.js';

/** A schema and its root resolvers. */
export interface GraphQlPluginOptions {
  /** The schema, in GraphQL's schema definition language (SDL). */
  readonly typeDefs: string;
  /** Root fields: values, or functions with the parameters `(args, { ctx, container }, info)`. */
  readonly rootValue: Record<string, unknown>;
  /**
   * Path of the endpoint, below the global prefix.
   * @default '/graphql'
   */
  readonly path?: string;
}

/** A schema whose root resolvers can use the application's providers. */
export interface GraphqlAdapterOptions {
  /** The schema, in GraphQL's schema definition language (SDL). */
  readonly typeDefs: string;
  /**
   * Path of the endpoint, below the global prefix.
   * @default '/graphql'
   */
  readonly path?: string;
}

/** Options of `GraphqlMountModule.forRoot()`. Either `typeDefs` or `schema` is required. */
export interface GraphqlMountOptions
  extends Partial<GraphqlAdapterOptions>, ProtectionOptions, TraceOptions {
  /**
   * Name in errors, in introspection, and for the injection token: `getGraphqlAdapterToken(name)`.
   * @default 'GraphqlAdapter'
   */
  readonly name?: string;
  /**
   * Root fields: values, or functions with the parameters `(args, { ctx, container }, info)`. If
   * `rootValue` is itself a function, it receives the container and is called once, at startup.
   * @default none
   */
  readonly rootValue?:
    | Record<string, unknown>
    | ((container: Container) => Record<string, unknown>);
  /**
   * A compiled schema, or a function that returns a schema. Use it instead of `typeDefs`. The
   * function is called on first use.
   * @default compiled from `typeDefs`
   */
  readonly schema?: GraphQLSchema | (() => GraphQLSchema);
  /**
   * The library that serves GraphQL over HTTP: `graphqlHttp()`, `yoga()` or your own.
   * @default graphqlHttp()
   */
  readonly runtime?: GraphqlRuntime;
  /**
   * Executes queries and mutations on every transport. Has the same signature as `execute` of
   * graphql-js.
   * @default graphql-js' `execute`
   */
  readonly executor?: GraphqlExecutor;
  /**
   * The kind of mount. With `'route'`, the endpoint is a controller, so the application's guards
   * run. With `'middleware'`, guards do not run.
   * @default 'middleware'
   */
  readonly mountAs?: 'middleware' | 'route';
  /**
   * Passes POST requests with a JSON body from the HTTP server directly to the mount, before the
   * platform. The application's middleware does not run for these requests. Cannot be used with
   * `mountAs: 'route'`.
   * @default false
   */
  readonly direct?: boolean;
  /**
   * Maximum bytes of a request body that no body parser has read. The mount reads JSON, and `yoga()`
   * reads the other types.
   * @default 1048576 (1 MiB)
   */
  readonly maxBodyBytes?: number;
  /**
   * Serves an explorer page at the path of the endpoint. People can run operations on this page.
   * @default process.env.NODE_ENV !== 'production'
   */
  readonly explorer?: boolean;
  /**
   * Serves subscriptions over WebSocket (graphql-ws). The limits of the mount also apply to
   * subscriptions.
   * @default none
   */
  readonly subscriptions?: (SubscriptionLimits & { readonly path?: string }) | true;
}

/** Mount options with a schema, as text or compiled. */
export type WithSchema<Options> =
  | (Options & { readonly typeDefs: string })
  | (Options & { readonly schema: NonNullable<GraphqlMountOptions['schema']> });

/**
 * The options of `GraphqlMountModule.forRootAsync()` that are set next to the factory. Providers
 * and routes depend on these options.
 */
export type GraphqlMountStatics = Pick<GraphqlMountOptions, 'name' | 'mountAs'>;

/** Options of `GraphqlMountModule.forRootAsync()`. */
export type GraphqlMountAsyncOptions = ConfigurableModuleAsyncOptions<
  GraphQlPluginOptions | WithSchema<Omit<GraphqlMountOptions, keyof GraphqlMountStatics>>
> &
  GraphqlMountStatics;

/** Options of `GraphqlApolloModule.forRoot()`. */
export interface GraphqlApolloOptions extends TraceOptions {
  /**
   * Name in introspection, and for the injection token: `getGraphqlAdapterToken(name)`.
   * @default 'GraphqlAdapter'
   */
  readonly name?: string;
  /**
   * Path of `GraphQLModule`, as shown in the snapshot. Startup fails if two endpoints have the same
   * path.
   * @default '/graphql'
   */
  readonly path?: string;
  /**
   * Limits for one operation, over HTTP or over a socket of `forApollo()`.
   * @default the defaults of OperationLimits
   */
  readonly limits?: OperationLimits;
  /**
   * Serves an explorer page to browsers at the path of each `GraphQLModule`, instead of Nest's
   * GraphiQL or the landing page of a plugin.
   * @default process.env.NODE_ENV !== 'production'
   */
  readonly explorer?: boolean;
}

/** Options of `GraphqlMercuriusModule.forRoot()`. */
export interface GraphqlMercuriusOptions extends TraceOptions {
  /**
   * Name in introspection, and for the injection token: `getGraphqlAdapterToken(name)`.
   * @default 'GraphqlAdapter'
   */
  readonly name?: string;
  /**
   * Path of `GraphQLModule`, as shown in the snapshot. Startup fails if two endpoints have the same
   * path.
   * @default '/graphql'
   */
  readonly path?: string;
  /**
   * Allows `__schema` and `__type` in operations. Errors may then suggest names. This option
   * applies to HTTP and to sockets of `forMercurius()`.
   * @default process.env.NODE_ENV !== 'production'
   */
  readonly introspection?: boolean;
  /**
   * Limits for one operation, over HTTP or over a socket of `forMercurius()`.
   * @default the defaults of OperationLimits
   */
  readonly limits?: OperationLimits;
}
