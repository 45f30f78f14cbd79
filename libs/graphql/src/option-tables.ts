import {
  atLeast,
  callback,
  checkedLater,
  count,
  flag,
  group,
  groupIfGiven,
  kind,
  oneOf,
  type OptionTable,
  Place,
  type ReadOptions,
  readOptions,
  rule,
  text,
  texts,
} from '@fledge-internal/options';
import { LONGEST_TIMER_MS } from '@fledge/core/packages';
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

/** Default of `maxBodyBytes`, and of `maxPayload` for sockets. */
const MIB = 1_048_576;

/** @param call how the application passes the options: `GraphqlMountModule.forRoot` */
export function placeOf(call: string): Place {
  return Place.ofCall((message) => new GraphqlOptionError(message), call);
}

/** Also for sizes and counts: the maximum is that of `ws`, too. */
const limit = atLeast(1, LONGEST_TIMER_MS);

/** On unless the process runs in production. */
const inDevelopment = rule((given: boolean | undefined, place) =>
  flag.default(process.env['NODE_ENV'] !== 'production').read(given, place),
);

const limitOrFalse = kind<number | false>(
  'a whole number of at least 1, or false for no limit',
  isCountOrFalse,
);

// Far above what people write and clients generate, and low enough that one document cannot keep a process busy.
// Ten connections of Relay inside each other have 30 levels. GraphiQL's introspection query counts as one field.
export const OPERATION_LIMITS = {
  depth: limitOrFalse.default(30),
  fields: limitOrFalse.default(10_000),
  rootFields: limitOrFalse.default(100),
  aliases: limitOrFalse.default(250),
  directives: limitOrFalse.default(250),
  introspection: limitOrFalse.default(3),
  cost: limitOrFalse.default(false),
} satisfies OptionTable<OperationLimits>;

export const PROTECTION = {
  limits: group<OperationLimits, typeof OPERATION_LIMITS>(OPERATION_LIMITS),
  validationRules: kind<NonNullable<ProtectionOptions['validationRules']>>(
    'a list of rules',
    Array.isArray,
  ).default([]),
  operationRules: callback<NonNullable<ProtectionOptions['operationRules']>>().optional,
  maxTokens: count.default(15_000),
  introspection: inDevelopment,
  formatError: callback<NonNullable<ProtectionOptions['formatError']>>().optional,
  documentCache: kind<number | false>(
    'a whole number of at least 1, or false',
    isCountOrFalse,
  ).default(500),
  documents: oneOf('trusted', 'automatic').optional,
  documentStore: checkedLater,
  manifest: checkedLater,
  onStaleDocument: oneOf('throw', 'warn').default('throw'),
} satisfies OptionTable<ProtectionOptions>;

const REVALIDATION = {
  everyMs: limit.optional,
  check: callback<NonNullable<RevalidationOptions['check']>>().optional,
  timeoutMs: limit.default(5_000),
  concurrency: limit.default(10),
  maxFailures: limit.default(3),
} satisfies OptionTable<RevalidationOptions>;

export const SUBSCRIPTION_LIMITS = {
  operations: oneOf('subscription', 'all').default('subscription'),
  maxPayload: limit.default(MIB),
  maxSubscriptions: limit.default(100),
  maxPerAddress: limit.default(1_000),
  maxPerEndpoint: limit.default(20_000),
  origins: texts.default([]),
  gracePeriodMs: atLeast(0, LONGEST_TIMER_MS).default(2_000),
  initTimeoutMs: limit.default(3_000),
  connectionHeaders: texts.optional,
  onConnect: callback<NonNullable<SubscriptionLimits['onConnect']>>().optional,
  revalidate: rule((given: SubscriptionLimits['revalidate'], place) =>
    given === undefined
      ? undefined
      : readOptions(given === true ? {} : given, REVALIDATION, place, ' or true'),
  ),
} satisfies OptionTable<SubscriptionLimits>;

/** The options of revalidation with defaults applied. */
export type ResolvedRevalidation = ReadOptions<typeof REVALIDATION>;

const MOUNT_SUBSCRIPTIONS = { path: checkedLater, ...SUBSCRIPTION_LIMITS };

const MOUNT_AS = oneOf('middleware', 'route').default('middleware');

export const MOUNT = {
  name: text.optional,
  typeDefs: text.optional,
  rootValue: checkedLater,
  schema: checkedLater,
  path: checkedLater,
  runtime: kind<NonNullable<GraphqlMountOptions['runtime']>>(
    'a function such as graphqlHttp() or yoga() returns',
    isFunction,
  ).optional,
  executor: kind<NonNullable<GraphqlMountOptions['executor']>>(
    'a function such as jit() returns',
    isFunction,
  ).optional,
  traceDocument: flag.default(false),
  mountAs: MOUNT_AS,
  maxBodyBytes: count.default(MIB),
  explorer: inDevelopment,
  subscriptions: rule<GraphqlMountOptions['subscriptions'], unknown>((given, place) =>
    given === undefined || typeof given === 'boolean'
      ? given
      : readOptions(given, MOUNT_SUBSCRIPTIONS, place, ' or true or false'),
  ),
  ...PROTECTION,
} satisfies OptionTable<GraphqlMountOptions>;

/** Nest checks what belongs to the factory. */
export const MOUNT_ASYNC = {
  name: text.optional,
  mountAs: MOUNT_AS,
  imports: checkedLater,
  inject: checkedLater,
  useFactory: checkedLater,
  useClass: checkedLater,
  useExisting: checkedLater,
  provideInjectionTokensFrom: checkedLater,
} satisfies OptionTable<GraphqlMountAsyncOptions>;

const SOCKETS = {
  path: checkedLater,
  traceDocument: flag.default(false),
  ...SUBSCRIPTION_LIMITS,
  ...PROTECTION,
};

export const APOLLO_SUBSCRIPTIONS = {
  guardEvents: flag.default(false),
  ...SOCKETS,
} satisfies OptionTable<ApolloSubscriptionsOptions>;

export const SUBSCRIPTIONS = {
  schema: checkedLater,
  rootValue: checkedLater,
  ...SOCKETS,
} satisfies OptionTable<
  Omit<GraphqlSubscriptionsOptions, 'schema'> & { readonly schema?: unknown }
>;

export const APOLLO = {
  name: text.optional,
  path: checkedLater,
  limits: groupIfGiven<OperationLimits, typeof OPERATION_LIMITS>(OPERATION_LIMITS),
  explorer: inDevelopment,
  traceDocument: flag.default(false),
} satisfies OptionTable<GraphqlApolloOptions>;

export const MERCURIUS = {
  name: text.optional,
  path: checkedLater,
  introspection: inDevelopment,
  traceDocument: flag.default(false),
  limits: groupIfGiven<OperationLimits, typeof OPERATION_LIMITS>(OPERATION_LIMITS),
} satisfies OptionTable<GraphqlMercuriusOptions>;

function isCountOrFalse(value: unknown): boolean {
  return value === false || (Number.isSafeInteger(value) && (value as number) >= 1);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
