import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import { GraphqlOptionError } from './graphql.errors.js';
import type {
  GraphqlApolloOptions,
  GraphqlMercuriusOptions,
  GraphqlMountAsyncOptions,
  GraphqlMountOptions,
} from './graphql.options.js';
import type { OperationLimits, ProtectionOptions } from './operation/protection.options.js';
import type {
  ApolloSubscriptionsOptions,
  GraphqlSubscriptionsOptions,
  RevalidationOptions,
  SubscriptionLimits,
} from './subscriptions/subscription.options.js';

/**
 * Refuses names that are no options, also in nested objects: a misspelt `onConnect` lets everyone in.
 * @param call how the application passes them: `GraphqlMountModule.forRoot`
 * @throws GraphqlOptionError
 */
export function refuseUnknownGraphqlOptions(
  options: unknown,
  known: KnownOptions,
  call: string,
): void {
  refuseUnknownOptions(options, known, call, GraphqlOptionError);
}

const OPERATION_LIMITS: KnownOptions<OperationLimits> = {
  depth: true,
  fields: true,
  rootFields: true,
  aliases: true,
  directives: true,
  introspection: true,
  cost: true,
};

const PROTECTION: KnownOptions<ProtectionOptions> = {
  limits: { known: OPERATION_LIMITS },
  validationRules: true,
  operationRules: true,
  maxTokens: true,
  introspection: true,
  formatError: true,
  documentCache: true,
  documents: true,
  documentStore: true,
  manifest: true,
  onStaleDocument: true,
};

const REVALIDATION: KnownOptions<RevalidationOptions> = {
  everyMs: true,
  check: true,
  timeoutMs: true,
  concurrency: true,
  maxFailures: true,
};

const LIMITS: KnownOptions<SubscriptionLimits> = {
  operations: true,
  maxPayload: true,
  maxSubscriptions: true,
  maxPerAddress: true,
  maxPerEndpoint: true,
  origins: true,
  gracePeriodMs: true,
  initTimeoutMs: true,
  connectionHeaders: true,
  onConnect: true,
  revalidate: { known: REVALIDATION, or: [true] },
};

export const MOUNT_OPTIONS: KnownOptions<GraphqlMountOptions> = {
  name: true,
  typeDefs: true,
  rootValue: true,
  schema: true,
  path: true,
  runtime: true,
  executor: true,
  traceDocument: true,
  mountAs: true,
  maxBodyBytes: true,
  explorer: true,
  subscriptions: { known: { path: true, ...LIMITS }, or: [true, false] },
  ...PROTECTION,
};

export const MOUNT_ASYNC_OPTIONS: KnownOptions<GraphqlMountAsyncOptions> = {
  name: true,
  mountAs: true,
  imports: true,
  inject: true,
  useFactory: true,
  useClass: true,
  useExisting: true,
  provideInjectionTokensFrom: true,
};

const SOCKET_OPTIONS = { path: true, traceDocument: true, ...LIMITS, ...PROTECTION } as const;

export const APOLLO_SUBSCRIPTIONS_OPTIONS: KnownOptions<ApolloSubscriptionsOptions> = {
  guardEvents: true,
  ...SOCKET_OPTIONS,
};

export const SUBSCRIPTIONS_OPTIONS: KnownOptions<GraphqlSubscriptionsOptions> = {
  schema: true,
  rootValue: true,
  ...SOCKET_OPTIONS,
};

export const APOLLO_OPTIONS: KnownOptions<GraphqlApolloOptions> = {
  name: true,
  path: true,
  limits: { known: OPERATION_LIMITS },
  explorer: true,
  traceDocument: true,
};

export const MERCURIUS_OPTIONS: KnownOptions<GraphqlMercuriusOptions> = {
  name: true,
  path: true,
  introspection: true,
  traceDocument: true,
  limits: { known: OPERATION_LIMITS },
};
