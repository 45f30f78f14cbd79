import type { Container } from '@fledge/core';
import type { ConfigurableModuleAsyncOptions } from '@nestjs/common';
import type { GraphQLError, GraphQLFormattedError, GraphQLSchema, ValidationRule } from 'graphql';
import type { GraphqlContext } from './context/graphql-context.js';
import type { GraphqlExecutor } from './operation/executor.js';
import type { ValidatedOperation } from './operation/served-schema.js';
import type { GraphqlRuntime } from './runtime/runtime.js';
import type { LiveOperation } from './subscriptions/live-operation.js';

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

/** Limits and checks that apply to operations on each transport. */
export interface ProtectionOptions {
  /** Validation rules added to those of the specification. They cannot read the variables, because results are cached. @default none */
  readonly validationRules?: readonly ValidationRule[];
  /**
   * Returns rules that need the variables, such as the cost of a query. Called for each operation, after
   * the other rules have passed. @default none
   */
  readonly operationRules?: (operation: ValidatedOperation) => readonly ValidationRule[];
  /** Limits what one operation may ask for. @default those of OperationLimits */
  readonly limits?: OperationLimits;
  /** Maximum number of tokens in a document. @default 15000 */
  readonly maxTokens?: number;
  /** Whether `__schema` and `__type` are answered, and errors suggest names. @default process.env.NODE_ENV !== 'production' */
  readonly introspection?: boolean;
  /** Changes an error before it is sent. If it throws, the client gets `Internal server error` and the cause is logged. @default errors stay as they are */
  readonly formatError?: FormatError;
  /**
   * `'trusted'` executes the documents of the manifest only: clients send their ids, and each other document
   * is refused. `'automatic'` remembers documents that clients send with their hashes, and then executes them by
   * hash (automatic persisted queries). @default documents of clients are executed
   */
  readonly documents?: 'trusted' | 'automatic';
  /** With `'automatic'`: a store that processes share, asked for hashes that are not in memory. @default memory only: 10000 documents, 16 MiB */
  readonly documentStore?: DocumentStore;
  /**
   * Documents that clients may send by id: a file, its content, or a function that returns its content at boot.
   * @default none
   */
  readonly manifest?: string | URL | DocumentManifest | ManifestLoader;
  /** What happens at boot if the schema does not accept a document of the manifest: `'warn'` starts the application, which refuses this document only. @default 'throw' */
  readonly onStaleDocument?: 'throw' | 'warn';
  /** Number of valid documents kept parsed, at 80 kB of heap each on average (40 MB by default); false for none. @default 500 */
  readonly documentCache?: number | false;
}

/**
 * Limits of one operation: whole numbers of at least 1, or false for no limit. Fragments count at each use. An
 * operation that exceeds one is refused with `GRAPHQL_LIMIT_EXCEEDED` before it runs.
 */
export interface OperationLimits {
  /** Maximum levels of fields, except below `__schema` and `__type`. @default 30 */
  readonly depth?: number | false;
  /** Maximum number of fields, except below `__schema` and `__type`. @default 10000 */
  readonly fields?: number | false;
  /** Maximum number of fields of `Query`, `Mutation` or `Subscription`. @default 100 */
  readonly rootFields?: number | false;
  /** Maximum number of aliases. @default 250 */
  readonly aliases?: number | false;
  /** Maximum number of directives. @default 250 */
  readonly directives?: number | false;
  /** Maximum cost with the variables of the request, by the package `graphql-query-complexity`. @default false */
  readonly cost?: number | false;
}

/** Documents by id, as GraphQL Code Generator and Relay write them, or the manifest of Apollo. */
export type DocumentManifest = Readonly<Record<string, string>> | ApolloManifest;

/**
 * Texts of documents by their SHA-256 hashes in hexadecimal, such as in Redis. Texts may expire. If the store
 * fails, clients send the text again, and a line is logged.
 */
export interface DocumentStore {
  /** Returns the text of a hash. Waited for at most 1 second. */
  get(hash: string): string | null | undefined | Promise<string | null | undefined>;
  /** Keeps the text of a hash. Requests do not wait for it. While 100 calls are under way, more texts are not stored. */
  set(hash: string, text: string): unknown;
}

/** Returns the content of a manifest. Called once, at boot. */
export type ManifestLoader = () => DocumentManifest | Promise<DocumentManifest>;

/** The file that Apollo's `generate-persisted-query-manifest` writes. */
export interface ApolloManifest {
  readonly format: 'apollo-persisted-query-manifest';
  readonly version: 1;
  readonly operations: readonly { readonly id: string; readonly body: string }[];
}

/** What the spans of operations contain. They exist if the application registers an OpenTelemetry SDK. */
export interface TraceOptions {
  /** Adds the text of the document to spans (`graphql.document`). Texts may contain values that clients wrote into them. @default false */
  readonly traceDocument?: boolean;
}

/** Changes an error before it is sent. */
export type FormatError = (
  formatted: GraphQLFormattedError,
  error: GraphQLError,
) => GraphQLFormattedError;

/** Options of `GraphqlMountModule.forRoot()`. Either `typeDefs` or `schema` is required. */
export interface GraphqlMountOptions
  extends Partial<GraphqlAdapterOptions>, ProtectionOptions, TraceOptions {
  /** Name in errors, introspection and the injection token: `getGraphqlAdapterToken(name)`. @default 'GraphqlAdapter' */
  readonly name?: string;
  /** Root fields: values, or functions of `(args, { ctx, container }, info)`. A function of the container is called once, at boot. @default none */
  readonly rootValue?:
    Record<string, unknown> | ((container: Container) => Record<string, unknown>);
  /** A compiled schema instead of `typeDefs`. A function is called on first use. @default compiled from `typeDefs` */
  readonly schema?: GraphQLSchema | (() => GraphQLSchema);
  /** The library that serves GraphQL over HTTP: `graphqlHttp()`, `yoga()` or your own. @default graphqlHttp() */
  readonly runtime?: GraphqlRuntime;
  /** Executes queries and mutations on each transport: `jit()`, or a function like graphql-js' `execute`. @default graphql-js' `execute` */
  readonly executor?: GraphqlExecutor;
  /** `'route'` mounts a controller, so the application's guards run. As middleware, guards do not run. @default 'middleware' */
  readonly mountAs?: 'middleware' | 'route';
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

/** Limits of subscriptions and their sockets. */
export interface SubscriptionLimits {
  /** `'all'` also serves queries and mutations over WebSocket. @default 'subscription' */
  readonly operations?: 'subscription' | 'all';
  /** Maximum bytes of one message. @default 1048576 (1 MiB) */
  readonly maxPayload?: number;
  /** Maximum number of operations that run on one socket at a time. @default 100 */
  readonly maxSubscriptions?: number;
  /** Allowed `Origin` headers besides the request's own host; `'*'` allows any. A request without `Origin` does not come from a browser and passes. @default none */
  readonly origins?: readonly string[];
  /** Milliseconds that the closing application waits for clients to disconnect. @default 2000 */
  readonly gracePeriodMs?: number;
  /** Milliseconds within which `connection_init` must arrive. @default 3000 */
  readonly initTimeoutMs?: number;
  /** Names of headers that `connectionParams` may supply if the upgrade request lacks them. @default 'authorization' and the tenant's */
  readonly connectionHeaders?: readonly string[];
  /**
   * Accepts or refuses a connection. Returning false or throwing closes it with 4403 and no reason.
   * Values set on `context.ctx` are copied to the context of each operation of the socket.
   * @default each connection is accepted
   */
  onConnect?(
    params: Readonly<Record<string, unknown>>,
    context: GraphqlContext,
  ): boolean | void | Promise<boolean | void>;
  /** Checks running subscriptions again, by time or by `GraphqlOperations.revalidate()`; `true` for the defaults. @default subscriptions are not checked again */
  readonly revalidate?: RevalidationOptions | true;
}

/** When running subscriptions are checked again, and how. */
export interface RevalidationOptions {
  /** Maximum milliseconds between two checks of a subscription. Checks are spread over the second half of this time. @default only when `GraphqlOperations.revalidate()` is called */
  readonly everyMs?: number;
  /**
   * Runs after the built-in check, in the context of the subscription. Returning false or throwing a
   * GraphQLError or an HttpException below 500 ends the subscription with that error.
   * @default none
   */
  check?(operation: LiveOperation): boolean | void | Promise<boolean | void>;
  /** Milliseconds after which a check counts as failed. @default 5000 */
  readonly timeoutMs?: number;
  /** Maximum number of checks of an endpoint that run at a time. @default 10 */
  readonly concurrency?: number;
  /** Number of checks failing in succession, such as for a database that is down, that ends a subscription. @default 3 */
  readonly maxFailures?: number;
}

/** A schema whose subscriptions are served. */
export interface GraphqlSubscriptionsAdapterOptions {
  /** The compiled schema. */
  readonly schema: GraphQLSchema;
  /** Path that clients connect to, below a global prefix. @default '/graphql' */
  readonly path?: string;
}

/** Options of `GraphqlSubscriptionsModule.forRoot()`. */
export interface GraphqlSubscriptionsOptions
  extends GraphqlSubscriptionsAdapterOptions, SubscriptionLimits, ProtectionOptions, TraceOptions {
  /** Root fields: values, or functions of `(args, { ctx, container }, info)`. @default none */
  readonly rootValue?: Record<string, unknown>;
}

/**
 * Options of `GraphqlSubscriptionsModule.forApollo()`. `introspection`, `validationRules` and
 * `formatError` default to those of `GraphQLModule`, `limits` to those of `GraphqlApolloModule` or
 * `GraphqlMercuriusModule`.
 */
export interface ApolloSubscriptionsOptions
  extends SubscriptionLimits, ProtectionOptions, TraceOptions {
  /** Runs the guards of a `@Subscription()` again before each of its events is sent. A guard that refuses ends the subscription. @default false */
  readonly guardEvents?: boolean;
  /** Selects one of several `GraphQLModule`s. @default the path of the only `GraphQLModule` */
  readonly path?: string;
}

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
  /** Limits what one operation over HTTP may ask for, and one over a socket of `forMercurius()`. @default those of OperationLimits */
  readonly limits?: OperationLimits;
}
