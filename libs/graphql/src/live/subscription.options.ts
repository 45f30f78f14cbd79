import type { GraphQLSchema } from 'graphql';
import type { GraphqlContext } from '../context/graphql-context.js';
import type { ProtectionOptions, TraceOptions } from '../operation/protection.options.js';
import type { RequestContext } from '@fledge/core';

/** Limits of subscriptions and their sockets. */
export interface SubscriptionLimits {
  /**
   * The operations that are served over WebSocket. `'all'` includes queries and mutations.
   * @default 'subscription'
   */
  readonly operations?: 'subscription' | 'all';
  /**
   * Maximum bytes of one message.
   * @default 1048576 (1 MiB)
   */
  readonly maxPayload?: number;
  /**
   * Maximum number of concurrent operations of one socket. It is also the maximum number of
   * concurrent event streams of one client.
   * @default 100
   */
  readonly maxSubscriptions?: number;
  /**
   * Maximum number of concurrent sockets of one client address. The same maximum applies to the
   * operations of that address, over sockets and event streams. The platform determines the
   * address: `trust proxy` of Express and `trustProxy` of Fastify apply.
   * @default 1000
   */
  readonly maxPerAddress?: number;
  /**
   * Maximum number of concurrent sockets of the endpoint. The same maximum applies to its
   * operations, over sockets and event streams.
   * @default 20000
   */
  readonly maxPerEndpoint?: number;
  /**
   * Allowed `Origin` headers, in addition to the request's own host. `'*'` allows every origin. A
   * request without `Origin` does not come from a browser, so it is accepted.
   * @default none
   */
  readonly origins?: readonly string[];
  /**
   * Milliseconds that a closing application waits for clients to disconnect.
   * @default 2000
   */
  readonly gracePeriodMs?: number;
  /**
   * Milliseconds within which `connection_init` must arrive.
   * @default 3000
   */
  readonly initTimeoutMs?: number;
  /**
   * Names of the headers that clients may send in `connectionParams` if the upgrade request does
   * not have them.
   * @default 'authorization' and the tenant's header
   */
  readonly connectionHeaders?: readonly string[];
  /**
   * Accepts or rejects a connection. If it returns false or throws, the connection is closed with
   * 4403 and without a reason. Values set on `context.ctx` are copied to the context of each
   * operation of the socket.
   * @default each connection is accepted
   */
  onConnect?(
    params: Readonly<Record<string, unknown>>,
    context: GraphqlContext,
  ): boolean | void | Promise<boolean | void>;
  /**
   * Checks running subscriptions again, at an interval or when you call
   * `GraphqlOperations.revalidate()`. `true` uses the defaults.
   * @default subscriptions are not checked again
   */
  readonly revalidate?: RevalidationOptions | true;
}

/** Options for checking running subscriptions again. */
export interface RevalidationOptions {
  /**
   * Maximum milliseconds from the end of a check to the next check of the subscription, if fewer
   * than `concurrency` checks run. Each pause is a random time from half of this value to the whole
   * value.
   * @default only when `GraphqlOperations.revalidate()` is called
   */
  readonly everyMs?: number;
  /**
   * Runs after the built-in check, in the context of the subscription. If it returns false, or
   * throws a GraphQLError or an HttpException below 500, the subscription ends with that error.
   * @default none
   */
  check?(operation: LiveOperation): boolean | void | Promise<boolean | void>;
  /**
   * Milliseconds after which a check counts as failed.
   * @default 5000
   */
  readonly timeoutMs?: number;
  /**
   * Maximum number of concurrent checks of an endpoint. A check that timed out, or whose
   * subscription has ended, is not counted anymore, even if it still runs.
   * @default 10
   */
  readonly concurrency?: number;
  /**
   * Number of consecutive failed checks after which a subscription ends. A check fails, for
   * example, if a database is down.
   * @default 3
   */
  readonly maxFailures?: number;
}

/** A schema whose subscriptions are served. */
export interface GraphqlSubscriptionsAdapterOptions {
  /** The compiled schema. */
  readonly schema: GraphQLSchema;
  /**
   * Path that clients connect to, below the global prefix.
   * @default '/graphql'
   */
  readonly path?: string;
}

/** Options of `GraphqlSubscriptionsModule.forRoot()`. */
export interface GraphqlSubscriptionsOptions
  extends GraphqlSubscriptionsAdapterOptions, SubscriptionLimits, ProtectionOptions, TraceOptions {
  /**
   * Root fields: values, or functions with the parameters `(args, { ctx, container }, info)`.
   * @default none
   */
  readonly rootValue?: Record<string, unknown>;
}

/**
 * Options of `GraphqlSubscriptionsModule.forApollo()`. By default, `introspection`,
 * `validationRules` and `formatError` have the values of `GraphQLModule`, and `limits` has the
 * value of `GraphqlApolloModule` or `GraphqlMercuriusModule`. If `validationRules` of Mercurius is a
 * function, set `validationRules` or `operationRules` here.
 */
export interface ApolloSubscriptionsOptions
  extends SubscriptionLimits, ProtectionOptions, TraceOptions {
  /**
   * Runs the guards of a `@Subscription()` again before each event is sent. If a guard rejects, the
   * subscription ends.
   * @default false
   */
  readonly guardEvents?: boolean;
  /**
   * Path of the `GraphQLModule` that is used. Required if there are several. If there is only one,
   * its subscriptions are served at this path.
   * @default the path of the only `GraphQLModule`
   */
  readonly path?: string;
}

/** A running subscription, or a running query or mutation of a socket. */
export interface LiveOperation {
  readonly kind: 'query' | 'mutation' | 'subscription' | undefined;
  readonly transport: 'websocket' | 'event-stream';
  /**
   * Identifies a socket or event stream in this process. All operations of a socket have the same
   * value.
   */
  readonly connection: string;
  /** The request context of its resolvers, with the headers, user and tenant. */
  readonly ctx: RequestContext;
}
