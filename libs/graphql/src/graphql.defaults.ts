import {
  atLeast,
  callback,
  count,
  filledText,
  flag,
  group,
  isObject,
  kind,
  listOf,
  oneOf,
  type OptionTable,
  Place,
  readOptions,
  rule,
  text,
  texts,
} from '@fledge-internal/options';
import { LONGEST_TIMER_MS } from '@fledge/core/packages';
import type { ValidationRule } from 'graphql';
import { GraphqlOptionError } from './graphql.errors.js';
import type {
  GraphqlApolloOptions,
  GraphqlMercuriusOptions,
  GraphqlMountOptions,
  GraphqlMountStatics,
} from './graphql.options.js';
import type {
  DocumentStore,
  OperationLimits,
  ProtectionOptions,
  TraceOptions,
} from './operation/protection.options.js';
import { originSetOf } from './sockets/origin.js';
import type {
  ApolloSubscriptionsOptions,
  GraphqlSubscriptionsOptions,
  RevalidationOptions,
  SubscriptionLimits,
} from './live/subscription.options.js';

/** Default of the option `name`. */
export const DEFAULT_NAME = 'GraphqlAdapter';

/** Default of the option `path`. */
const DEFAULT_PATH = '/graphql';

// Bundlers of applications would treat `new URL('...', import.meta.url)` as an import.
const HERE = import.meta.url;

/**
 * Folder of the built explorer. The source file and the built file have the same depth, so the path
 * is correct for both.
 */
export const EXPLORER_FOLDER = new URL('../dist/explorer/', HERE);

/** Default of `maxBodyBytes`, and of `maxPayload` of sockets. */
const MIB = 1_048_576;

/** @param call the call that receives the options, such as `GraphqlMountModule.forRoot` */
export function placeOf(call: string): Place {
  return Place.ofCall((message) => new GraphqlOptionError(message), call);
}

/** Rule for times, sizes and counts. The package `ws` has the same maximum. */
export const limit = atLeast(1, LONGEST_TIMER_MS);

/** A path that a mount can have. */
const mountPath = kind<string>(
  "a path of plain segments with a leading slash, such as '/graphql'",
  (value) => typeof value === 'string' && /^(\/[A-Za-z0-9_.~-]+)+$/.test(value),
);

/** Name of an endpoint. Without characters, errors and introspection would show nothing. */
const endpointName = filledText('a string that is not empty').default(DEFAULT_NAME);

/** Rule for an option that other code checks. The rule keeps the type of the option. */
export function later<Given>() {
  return rule<Given, Given>((given) => given);
}

/** True by default, except in production. */
const inDevelopment = rule((given: boolean | undefined, place) =>
  flag.default(process.env['NODE_ENV'] !== 'production').read(given, place),
);

const limitOrFalse = kind<number | false>(
  'a whole number of at least 1, or false for no limit',
  isCountOrFalse,
);

// The defaults are far above the documents of usual clients, but low enough to keep a single
// document from blocking a process. Ten nested Relay connections have 30 levels. GraphiQL's
// introspection query counts as one field.
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
  validationRules: listOf(callback<ValidationRule>().required).default([]),
  operationRules: callback<NonNullable<ProtectionOptions['operationRules']>>().optional,
  maxTokens: count.default(15_000),
  introspection: inDevelopment,
  formatError: callback<NonNullable<ProtectionOptions['formatError']>>().optional,
  documentCache: kind<number | false>(
    'a whole number of at least 1, or false',
    isCountOrFalse,
  ).default(500),
  documents: oneOf('trusted', 'automatic').optional,
  documentStore: kind<DocumentStore>(
    'an object with get() and set() functions',
    (value) => isObject(value) && isFunction(value['get']) && isFunction(value['set']),
  ).optional,
  manifest: later<ProtectionOptions['manifest']>(),
  onStaleDocument: oneOf('throw', 'warn').default('throw'),
} satisfies OptionTable<ProtectionOptions>;

// Exported classes make the following types public. So these types must not refer to the tables of
// options.

/** The limits of an operation after every default is applied. */
export type ResolvedOperationLimits = Readonly<Record<keyof OperationLimits, number | false>>;

/** Options after every default is applied. The options in `Unset` have no default. */
type Resolved<Options, Unset extends keyof Options> = Required<Omit<Options, Unset>> & {
  readonly [Name in Unset]: Options[Name] | undefined;
};

export interface ReadProtection extends Resolved<
  Omit<ProtectionOptions, 'limits'>,
  'operationRules' | 'formatError' | 'documents' | 'documentStore' | 'manifest'
> {
  readonly limits: ResolvedOperationLimits;
}

const REVALIDATION = {
  everyMs: limit.optional,
  check: callback<NonNullable<RevalidationOptions['check']>>().optional,
  timeoutMs: limit.default(5_000),
  concurrency: limit.default(10),
  maxFailures: limit.default(3),
} satisfies OptionTable<RevalidationOptions>;

const SUBSCRIPTION_LIMITS = {
  operations: oneOf('subscription', 'all').default('subscription'),
  maxPayload: limit.default(MIB),
  maxSubscriptions: limit.default(100),
  maxPerAddress: limit.default(1_000),
  maxPerEndpoint: limit.default(20_000),
  origins: rule((given: SubscriptionLimits['origins'], place) =>
    originSetOf(texts.default([]).read(given, place)),
  ),
  gracePeriodMs: atLeast(0, LONGEST_TIMER_MS).default(2_000),
  initTimeoutMs: limit.default(3_000),
  connectionHeaders: texts.optional,
  onConnect: callback<NonNullable<SubscriptionLimits['onConnect']>>().optional,
  revalidate: rule((given: SubscriptionLimits['revalidate'], place) => {
    if (given === undefined) return undefined;
    const own: RevalidationOptions = given === true ? {} : given;
    const read = readOptions(own, REVALIDATION, place, ' or true');
    // `check` is a method of the application's object. It may use the object as `this`.
    return { ...read, check: read.check?.bind(own) };
  }),
} satisfies OptionTable<SubscriptionLimits>;

export interface ResolvedLimits extends Resolved<
  Omit<SubscriptionLimits, 'origins' | 'revalidate'>,
  'connectionHeaders' | 'onConnect'
> {
  readonly origins: ReadonlySet<string>;
  /** Undefined if subscriptions are not checked again. */
  readonly revalidate: ResolvedRevalidation | undefined;
}

export type ResolvedRevalidation = Resolved<RevalidationOptions, 'everyMs' | 'check'>;

/** `onConnect` is bound to the options, because the application's methods may use `this`. */
export function boundTo<Read extends ResolvedLimits>(given: SubscriptionLimits, read: Read): Read {
  return { ...read, onConnect: read.onConnect?.bind(given) };
}

const MOUNT_SUBSCRIPTIONS = { path: mountPath.optional, ...SUBSCRIPTION_LIMITS };

const MOUNT_AS = oneOf('middleware', 'route').default('middleware');

export const MOUNT = {
  name: endpointName,
  typeDefs: text.optional,
  rootValue: kind<NonNullable<GraphqlMountOptions['rootValue']>>(
    'an object or a function',
    (value) => isFunction(value) || (typeof value === 'object' && !Array.isArray(value)),
  ).optional,
  schema: later<GraphqlMountOptions['schema']>(),
  path: mountPath.default(DEFAULT_PATH),
  runtime: kind<NonNullable<GraphqlMountOptions['runtime']>>(
    'a runtime, such as the result of graphqlHttp() or yoga()',
    isFunction,
  ).optional,
  executor: callback<NonNullable<GraphqlMountOptions['executor']>>().optional,
  traceDocument: flag.default(false),
  mountAs: MOUNT_AS,
  direct: flag.default(false),
  maxBodyBytes: count.default(MIB),
  explorer: inDevelopment,
  // The limits also apply to event streams, so the limits are read even if there are no sockets.
  subscriptions: rule((given: GraphqlMountOptions['subscriptions'] | false, place) => {
    const own = given === undefined || typeof given === 'boolean' ? {} : given;
    const read = readOptions(own, MOUNT_SUBSCRIPTIONS, place, ' or true or false');
    const { path, ...limits } = boundTo(own, read);
    return { path, limits, areServed: given !== undefined && given !== false };
  }),
  ...PROTECTION,
} satisfies OptionTable<GraphqlMountOptions>;

/** The options that are set next to the factory. */
export const MOUNT_STATICS = {
  name: endpointName,
  mountAs: MOUNT_AS,
} satisfies OptionTable<GraphqlMountStatics>;

const SOCKETS = {
  traceDocument: flag.default(false),
  ...SUBSCRIPTION_LIMITS,
  ...PROTECTION,
};

export const APOLLO_SUBSCRIPTIONS = {
  guardEvents: flag.default(false),
  path: text.optional,
  ...SOCKETS,
} satisfies OptionTable<ApolloSubscriptionsOptions>;

export const SUBSCRIPTIONS = {
  schema: later<GraphqlSubscriptionsOptions['schema']>(),
  path: text.default(DEFAULT_PATH),
  rootValue: later<GraphqlSubscriptionsOptions['rootValue']>(),
  ...SOCKETS,
} satisfies OptionTable<GraphqlSubscriptionsOptions>;

const NEST_ENDPOINT = {
  name: endpointName,
  path: mountPath.default(DEFAULT_PATH),
  limits: group<OperationLimits, typeof OPERATION_LIMITS>(OPERATION_LIMITS),
};

export const APOLLO = {
  ...NEST_ENDPOINT,
  explorer: inDevelopment,
  traceDocument: flag.default(false),
} satisfies OptionTable<GraphqlApolloOptions>;

/**
 * The options of both `GraphqlApolloModule` and `GraphqlMercuriusModule`, after every default is
 * applied.
 */
export interface ReadNestOptions extends Required<TraceOptions> {
  readonly limits: ResolvedOperationLimits;
}

export const MERCURIUS = {
  ...NEST_ENDPOINT,
  introspection: inDevelopment,
  traceDocument: flag.default(false),
} satisfies OptionTable<GraphqlMercuriusOptions>;

function isCountOrFalse(value: unknown): boolean {
  return value === false || (Number.isSafeInteger(value) && (value as number) >= 1);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
