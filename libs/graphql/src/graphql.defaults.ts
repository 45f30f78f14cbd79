import { type ReadOptions, readValues } from '@fledge-internal/options';
import {
  OPERATION_LIMITS,
  placeOf,
  PROTECTION,
  type ResolvedRevalidation,
  SUBSCRIPTION_LIMITS,
} from './option-tables.js';
import type { OperationLimits, ProtectionOptions } from './operation/protection.options.js';
import type { SubscriptionLimits } from './subscriptions/subscription.options.js';
import { originSetOf } from './subscriptions/origin.js';

/** Name of an endpoint without the option `name`. */
export const DEFAULT_NAME = 'GraphqlAdapter';

/** Path of an endpoint without the option `path`. */
export const DEFAULT_PATH = '/graphql';

/** The built files of the explorer. The sources and the bundle stand at the same depth. */
export const EXPLORER_FOLDER = new URL('../dist/explorer/', import.meta.url);

/** The options of `Protection` with defaults applied. */
export interface ResolvedProtection extends Omit<
  ReadOptions<typeof PROTECTION>,
  'documentCache' | 'documents' | 'documentStore' | 'manifest' | 'onStaleDocument'
> {
  /** 0 for none. */
  readonly documentCache: number;
}

/**
 * Applies the defaults of `Protection`.
 * @throws GraphqlOptionError for an invalid value
 */
export function resolveProtection(options: ProtectionOptions): ResolvedProtection {
  const read = readValues(options, PROTECTION, placeOf('Protection'));
  return { ...read, documentCache: read.documentCache || 0 };
}

/** The limits of an operation with defaults applied. */
export type ResolvedOperationLimits = Readonly<Record<keyof OperationLimits, number | false>>;

/** @throws GraphqlOptionError for an invalid value */
export function resolveOperationLimits(limits: OperationLimits = {}): ResolvedOperationLimits {
  return readValues(limits, OPERATION_LIMITS, placeOf('OperationLimits'));
}

/** The limits of subscriptions with defaults applied. */
export interface ResolvedLimits extends Omit<
  ReadOptions<typeof SUBSCRIPTION_LIMITS>,
  'origins' | 'revalidate'
> {
  readonly origins: ReadonlySet<string>;
  /** Undefined: subscriptions are not checked again. */
  readonly revalidate: ResolvedRevalidation | undefined;
}

/**
 * Applies the defaults of subscriptions.
 * @throws GraphqlOptionError for an invalid value
 */
export function resolveLimits(limits: SubscriptionLimits): ResolvedLimits {
  const read = readValues(limits, SUBSCRIPTION_LIMITS, placeOf('SubscriptionLimits'));
  const { revalidate } = read;
  const own = limits.revalidate === true ? undefined : limits.revalidate;
  return {
    ...read,
    origins: originSetOf(read.origins),
    // Methods of the application's objects, which may use `this`.
    onConnect: read.onConnect?.bind(limits),
    revalidate: revalidate && { ...revalidate, check: revalidate.check?.bind(own) },
  };
}
