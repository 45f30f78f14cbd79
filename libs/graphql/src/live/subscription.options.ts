import type { GraphQLSchema } from 'graphql';
import type { GraphqlContext } from '../context/graphql-context.js';
import type { ProtectionOptions, TraceOptions } from '../operation/protection.options.js';
import type { RequestContext } from '@fledge/core';

/** Limits of subscriptions and their sockets. */
export interface SubscriptionLimits {
  /** `'all'` also serves queries and mutations over WebSocket. @default 'subscription' */
  readonly operations?: 'subscription' | 'all';
  /** Maximum bytes of one message. @default 1048576 (1 MiB) */
  readonly maxPayload?: number;
  /** Maximum number of operations that run on one socket at a time, or as event streams of one client. @default 100 */
  readonly maxSubscriptions?: number;
  /**
   * Maximum number of sockets of one client address at a time, and of operations that run on them and as event streams.
   * The address is that of the platform: `trust proxy` of Express and `trustProxy` of Fastify apply. @default 1000
   */
  readonly maxPerAddress?: number;
  /** Maximum number of sockets of the endpoint at a time, and of operations that run on them and as event streams. @default 20000 */
  readonly maxPerEndpoint?: number;
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

/** A running subscription, or another running operation of a socket. */
export interface LiveOperation {
  readonly kind: 'query' | 'mutation' | 'subscription' | undefined;
  readonly transport: 'websocket' | 'event-stream';
  /** Identifies a socket or event stream in this process. The operations of one socket share it. */
  readonly connection: string;
  /** The request context of its resolvers, with its headers, user and tenant. */
  readonly ctx: RequestContext;
}
