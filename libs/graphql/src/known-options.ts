import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import { GraphqlOptionError } from './graphql.errors.js';
import type {
  ApolloSubscriptionsOptions,
  GraphqlApolloOptions,
  GraphqlMountAsyncOptions,
  GraphqlMountOptions,
  GraphqlSubscriptionsOptions,
  ProtectionOptions,
  SubscriptionLimits,
} from './graphql.options.js';

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

const PROTECTION: KnownOptions<ProtectionOptions> = {
  validationRules: true,
  operationRules: true,
  maxTokens: true,
  introspection: true,
  formatError: true,
  documentCache: true,
};

const LIMITS: KnownOptions<SubscriptionLimits> = {
  operations: true,
  maxPayload: true,
  maxSubscriptions: true,
  origins: true,
  gracePeriodMs: true,
  initTimeoutMs: true,
  connectionHeaders: true,
  onConnect: true,
};

export const MOUNT_OPTIONS: KnownOptions<GraphqlMountOptions> = {
  name: true,
  typeDefs: true,
  rootValue: true,
  schema: true,
  path: true,
  runtime: true,
  traceDocument: true,
  mountAs: true,
  maxBodyBytes: true,
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

export const APOLLO_SUBSCRIPTIONS_OPTIONS: KnownOptions<ApolloSubscriptionsOptions> = {
  path: true,
  traceDocument: true,
  ...LIMITS,
  ...PROTECTION,
};

export const SUBSCRIPTIONS_OPTIONS: KnownOptions<GraphqlSubscriptionsOptions> = {
  schema: true,
  rootValue: true,
  ...APOLLO_SUBSCRIPTIONS_OPTIONS,
};

export const APOLLO_OPTIONS: KnownOptions<GraphqlApolloOptions> = {
  name: true,
  path: true,
  traceDocument: true,
};
