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
  /** The schema, in GraphQL's schema definition language. */
  readonly typeDefs: string;
  /** Root fields: values, or functions of `(args, { ctx, container }, info)`. */
  readonly rootValue: Record<string, unknown>;
  /** Path of the endpoint, below a global prefix. @default '/graphql' */
  readonly path?: string;
}

/** A schema whose root resolvers get the application's providers. */
export interface GraphqlAdapterOptions {
  /** The schema, in GraphQL's schema definition language. */
  readonly typeDefs: string;
  /** Path of the endpoint, below a global prefix. @default '/graphql' */
  readonly path?: string;
}

/** Options of `GraphqlMountModule.forRoot()`. Either `typeDefs` or `schema` is required. */
export interface GraphqlMountOptions
  extends Partial<GraphqlAdapterOptions>, ProtectionOptions, TraceOptions {
  /** Name in errors, introspection and the injection token: `getGraphqlAdapterToken(name)`. @default 'GraphqlAdapter' */
  readonly name?: string;
  /** Root fields: values, or functions of `(args, { ctx, container }, info)`. A function of the container is called once, at boot. @default none */
  readonly rootValue?:
    | Record<string, unknown>
    | ((container: Container) => Record<string, unknown>);
  /** A compiled schema instead of `typeDefs`. A function is called on first use. @default compiled from `typeDefs` */
  readonly schema?: GraphQLSchema | (() => GraphQLSchema);
  /** The library that serves GraphQL over HTTP: `graphqlHttp()`, `yoga()` or your own. @default graphqlHttp() */
  readonly runtime?: GraphqlRuntime;
  /** Executes queries and mutations on each transport: a function like graphql-js' `execute`. @default graphql-js' `execute` */
  readonly executor?: GraphqlExecutor;
  /** `'route'` mounts a controller, so the application's guards run. As middleware, guards do not run. @default 'middleware' */
  readonly mountAs?: 'middleware' | 'route';
  /**
   * Passes POST requests with JSON from the HTTP server to the mount, ahead of the platform. Middleware of the application
   * does not run for them. Not together with `mountAs: 'route'`.
   * @default false
   */
  readonly direct?: boolean;
  /** Maximum bytes of a request body that the mount reads itself: as middleware, if no body parser ran before. @default 1048576 (1 MiB) */
  readonly maxBodyBytes?: number;
  /** Serves a page to browsers at the path of the endpoint, in which they run operations. @default process.env.NODE_ENV !== 'production' */
  readonly explorer?: boolean;
  /** Serves subscriptions over WebSocket (graphql-ws), with the limits above. @default none */
  readonly subscriptions?: (SubscriptionLimits & { readonly path?: string }) | true;
}

/** Mount options that contain a schema, as text or compiled. */
export type WithSchema<Options> =
  | (Options & { readonly typeDefs: string })
  | (Options & { readonly schema: NonNullable<GraphqlMountOptions['schema']> });

/** Options of `GraphqlMountModule.forRootAsync()` that stand beside the factory, because providers and routes depend on them. */
export type GraphqlMountStatics = Pick<GraphqlMountOptions, 'name' | 'mountAs'>;

/** Options of `GraphqlMountModule.forRootAsync()`. */
export type GraphqlMountAsyncOptions = ConfigurableModuleAsyncOptions<
  GraphQlPluginOptions | WithSchema<Omit<GraphqlMountOptions, keyof GraphqlMountStatics>>
> &
  GraphqlMountStatics;

/** Options of `GraphqlApolloModule.forRoot()`. */
export interface GraphqlApolloOptions extends TraceOptions {
  /** Name in introspection and in the injection token: `getGraphqlAdapterToken(name)`. @default 'GraphqlAdapter' */
  readonly name?: string;
  /** Path of `GraphQLModule`, as shown in the snapshot. @default '/graphql' */
  readonly path?: string;
  /** Limits what one operation over HTTP may ask for, and one over a socket of `forApollo()`. @default those of OperationLimits */
  readonly limits?: OperationLimits;
  /** Serves a page to browsers at the path of each `GraphQLModule`, in place of Nest's GraphiQL. @default process.env.NODE_ENV !== 'production' */
  readonly explorer?: boolean;
}

/** Options of `GraphqlMercuriusModule.forRoot()`. */
export interface GraphqlMercuriusOptions extends TraceOptions {
  /** Name in introspection and in the injection token: `getGraphqlAdapterToken(name)`. @default 'GraphqlAdapter' */
  readonly name?: string;
  /** Path of `GraphQLModule`, as shown in the snapshot. @default '/graphql' */
  readonly path?: string;
  /** Whether `__schema` and `__type` are answered, and errors suggest names, over HTTP and sockets of `forMercurius()`. @default process.env.NODE_ENV !== 'production' */
  readonly introspection?: boolean;
  /** Limits what one operation over HTTP may ask for, and one over a socket of `forMercurius()`. @default those of OperationLimits */
  readonly limits?: OperationLimits;
}
