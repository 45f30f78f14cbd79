import { GraphqlOptionError } from './graphql.errors.js';
import type { ProtectionOptions, SubscriptionLimits } from './graphql.options.js';
import { originSetOf } from './subscriptions/origin.js';

/** Name of an endpoint without the option `name`. */
export const DEFAULT_NAME = 'GraphqlAdapter';

/** Path of an endpoint without the option `path`. */
export const DEFAULT_PATH = '/graphql';

/** Default of `maxBodyBytes`, and of `maxPayload` for sockets. */
export const MIB = 1_048_576;

/** The options of `Protection` with defaults applied. */
export interface ResolvedProtection extends Pick<
  ProtectionOptions,
  'formatError' | 'operationRules'
> {
  readonly validationRules: NonNullable<ProtectionOptions['validationRules']>;
  readonly introspection: boolean;
  readonly maxTokens: number;
  /** 0 for none. */
  readonly documentCache: number;
}

/** Applies the defaults of `ProtectionOptions`. */
export function resolveProtection(options: ProtectionOptions): ResolvedProtection {
  return {
    ...options,
    validationRules: options.validationRules ?? [],
    introspection: options.introspection ?? process.env['NODE_ENV'] !== 'production',
    maxTokens: options.maxTokens ?? 15_000,
    documentCache: (options.documentCache ?? 500) || 0,
  };
}

/** The limits of subscriptions with defaults applied. */
export interface ResolvedLimits {
  readonly operations: 'subscription' | 'all';
  readonly maxPayload: number;
  readonly maxSubscriptions: number;
  readonly origins: ReadonlySet<string>;
  readonly gracePeriodMs: number;
  readonly initTimeoutMs: number;
  /** Undefined: the default of `GraphqlContexts`. */
  readonly connectionHeaders: readonly string[] | undefined;
  readonly onConnect: SubscriptionLimits['onConnect'];
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
    origins: originSetOf(limits.origins ?? []),
    gracePeriodMs: atLeast(0, 'gracePeriodMs', limits.gracePeriodMs ?? 2_000),
    initTimeoutMs: atLeast(1, 'initTimeoutMs', limits.initTimeoutMs ?? 3_000),
    connectionHeaders: limits.connectionHeaders,
    onConnect: limits.onConnect?.bind(limits),
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
