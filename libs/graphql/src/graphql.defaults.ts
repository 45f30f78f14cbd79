import { GraphqlOptionError } from './graphql.errors.js';
import type { OperationLimits, ProtectionOptions } from './operation/protection.options.js';
import type {
  RevalidationOptions,
  SubscriptionLimits,
} from './subscriptions/subscription.options.js';
import { originSetOf } from './subscriptions/origin.js';

/** Name of an endpoint without the option `name`. */
export const DEFAULT_NAME = 'GraphqlAdapter';

/** Path of an endpoint without the option `path`. */
export const DEFAULT_PATH = '/graphql';

/** The built files of the explorer. The sources and the bundle stand at the same depth. */
export const EXPLORER_FOLDER = new URL('../dist/explorer/', import.meta.url);

/** Default of `maxBodyBytes`, and of `maxPayload` for sockets. */
export const MIB = 1_048_576;

/** The options of `Protection` with defaults applied. */
export interface ResolvedProtection extends Pick<
  ProtectionOptions,
  'formatError' | 'operationRules'
> {
  readonly validationRules: NonNullable<ProtectionOptions['validationRules']>;
  readonly limits: ResolvedOperationLimits;
  readonly introspection: boolean;
  readonly maxTokens: number;
  /** 0 for none. */
  readonly documentCache: number;
}

/**
 * Applies the defaults of `ProtectionOptions`.
 * @throws GraphqlOptionError for an invalid limit of operations
 */
export function resolveProtection(options: ProtectionOptions): ResolvedProtection {
  return {
    ...options,
    validationRules: options.validationRules ?? [],
    limits: resolveOperationLimits(options.limits),
    introspection: options.introspection ?? process.env['NODE_ENV'] !== 'production',
    maxTokens: options.maxTokens ?? 15_000,
    documentCache: (options.documentCache ?? 500) || 0,
  };
}

/** The limits of an operation with defaults applied. */
export type ResolvedOperationLimits = Readonly<Record<keyof OperationLimits, number | false>>;

// Far above what people write and clients generate, and low enough that one document cannot keep a process busy.
// Ten connections of Relay inside each other have 30 levels. GraphiQL's introspection query counts as one field.
const OPERATION_LIMITS: ResolvedOperationLimits = {
  depth: 30,
  fields: 10_000,
  rootFields: 100,
  aliases: 250,
  directives: 250,
  introspection: 3,
  cost: false,
};

/**
 * Applies the defaults of `OperationLimits` and checks the values.
 * @throws GraphqlOptionError for an invalid value
 */
export function resolveOperationLimits(limits: OperationLimits = {}): ResolvedOperationLimits {
  const resolved: Record<keyof OperationLimits, number | false> = { ...OPERATION_LIMITS };
  for (const limit of Object.keys(resolved) as (keyof OperationLimits)[]) {
    const given: unknown = limits[limit] ?? resolved[limit];
    if (given !== false && !(Number.isSafeInteger(given) && Number(given) >= 1)) {
      throw new GraphqlOptionError(
        `limits.${limit} is ${JSON.stringify(given)}, but must be a whole number of at least 1, or false for no limit.`,
      );
    }
    resolved[limit] = given as number | false;
  }
  return resolved;
}

/**
 * Applies the default of `explorer`.
 * @param call how the application passes it: `GraphqlMountModule.forRoot`
 * @throws GraphqlOptionError
 */
export function resolveExplorer(explorer: boolean | undefined, call: string): boolean {
  const given: unknown = explorer ?? process.env['NODE_ENV'] !== 'production';
  if (typeof given === 'boolean') return given;
  throw new GraphqlOptionError(
    `${call}({ explorer }) is ${JSON.stringify(given)}, but must be true or false.`,
  );
}

/** The limits of subscriptions with defaults applied. */
export interface ResolvedLimits {
  readonly operations: 'subscription' | 'all';
  readonly maxPayload: number;
  readonly maxSubscriptions: number;
  readonly maxPerAddress: number;
  readonly maxPerEndpoint: number;
  readonly origins: ReadonlySet<string>;
  readonly gracePeriodMs: number;
  readonly initTimeoutMs: number;
  /** Undefined: the default of `GraphqlContexts`. */
  readonly connectionHeaders: readonly string[] | undefined;
  readonly onConnect: SubscriptionLimits['onConnect'];
  /** Undefined: subscriptions are not checked again. */
  readonly revalidate: ResolvedRevalidation | undefined;
}

/** The options of revalidation with defaults applied. */
export interface ResolvedRevalidation extends Pick<RevalidationOptions, 'check'> {
  /** Undefined: only when called. */
  readonly everyMs: number | undefined;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly maxFailures: number;
}

/**
 * Applies the defaults of `SubscriptionLimits` and checks the values.
 * @throws GraphqlOptionError for an invalid value
 */
export function resolveLimits(limits: SubscriptionLimits): ResolvedLimits {
  const { operations = 'subscription' } = limits;
  if (operations !== 'subscription' && operations !== 'all') {
    throw badLimit('operations', operations, "'subscription' or 'all'");
  }
  return {
    operations,
    maxPayload: atLeast(1, 'maxPayload', limits.maxPayload ?? MIB),
    maxSubscriptions: atLeast(1, 'maxSubscriptions', limits.maxSubscriptions ?? 100),
    maxPerAddress: atLeast(1, 'maxPerAddress', limits.maxPerAddress ?? 1_000),
    maxPerEndpoint: atLeast(1, 'maxPerEndpoint', limits.maxPerEndpoint ?? 20_000),
    origins: originSetOf(limits.origins ?? []),
    gracePeriodMs: atLeast(0, 'gracePeriodMs', limits.gracePeriodMs ?? 2_000),
    initTimeoutMs: atLeast(1, 'initTimeoutMs', limits.initTimeoutMs ?? 3_000),
    connectionHeaders: limits.connectionHeaders,
    onConnect: limits.onConnect?.bind(limits),
    revalidate: limits.revalidate && resolveRevalidation(limits.revalidate),
  };
}

function resolveRevalidation(given: RevalidationOptions | true): ResolvedRevalidation {
  const options = given === true ? {} : given;
  const { everyMs } = options;
  if (options.check !== undefined && typeof options.check !== 'function') {
    throw badLimit('revalidate.check', typeof options.check, 'a function');
  }
  return {
    everyMs: everyMs === undefined ? undefined : atLeast(1, 'revalidate.everyMs', everyMs),
    ...(options.check && { check: options.check.bind(options) }),
    timeoutMs: atLeast(1, 'revalidate.timeoutMs', options.timeoutMs ?? 5_000),
    concurrency: atLeast(1, 'revalidate.concurrency', options.concurrency ?? 10),
    maxFailures: atLeast(1, 'revalidate.maxFailures', options.maxFailures ?? 3),
  };
}

/** The maximum of `setTimeout` and of `ws`. A longer timer would fire at once. */
const MAX = 2_147_483_647;

function atLeast(least: number, option: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= MAX) return value;
  throw badLimit(option, value, `a whole number from ${least} to ${MAX}`);
}

function badLimit(option: string, value: unknown, expected: string): GraphqlOptionError {
  return new GraphqlOptionError(
    `subscriptions.${option} is ${JSON.stringify(value)}, but must be ${expected}.`,
  );
}
