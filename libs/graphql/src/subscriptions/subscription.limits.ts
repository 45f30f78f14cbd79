import { GraphqlOptionError } from '../graphql.errors.js';
import type { SubscriptionLimits } from '../graphql.options.js';
import { originSetOf } from './origin.js';

/** The limits with every default applied. Nothing behind this file reads raw ones. */
export interface ResolvedLimits {
  readonly operations: 'subscription' | 'all';
  readonly maxPayload: number;
  readonly maxSubscriptions: number;
  readonly origins: ReadonlySet<string>;
  readonly gracePeriodMs: number;
  readonly initTimeoutMs: number;
  /** Undefined: what `GraphqlContexts` takes of itself. */
  readonly connectionHeaders: readonly string[] | undefined;
  readonly onConnect: SubscriptionLimits['onConnect'];
}

/**
 * Applies every default, once.
 * @throws GraphqlOptionError for a value that can never work
 */
export function resolveLimits(limits: SubscriptionLimits): ResolvedLimits {
  const { operations = 'subscription' } = limits;
  if (operations !== 'subscription' && operations !== 'all') {
    throw bad('operations', operations, "'subscription' or 'all'");
  }
  return {
    operations,
    maxPayload: atLeast(1, 'maxPayload', limits.maxPayload ?? 1_048_576),
    maxSubscriptions: atLeast(1, 'maxSubscriptions', limits.maxSubscriptions ?? 100),
    origins: originSetOf(limits.origins ?? []),
    gracePeriodMs: atLeast(0, 'gracePeriodMs', limits.gracePeriodMs ?? 2_000),
    initTimeoutMs: atLeast(1, 'initTimeoutMs', limits.initTimeoutMs ?? 3_000),
    connectionHeaders: limits.connectionHeaders,
    onConnect: limits.onConnect?.bind(limits),
  };
}

/** What `setTimeout` and `ws` take: beyond, a wait would end at once. */
const MAX = 2_147_483_647;

function atLeast(least: number, option: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= MAX) return value;
  throw bad(option, value, `a whole number from ${least} to ${MAX}`);
}

function bad(option: string, value: unknown, expected: string): GraphqlOptionError {
  return new GraphqlOptionError(
    `subscriptions.${option} is ${JSON.stringify(value)}, but must be ${expected}.`,
  );
}
