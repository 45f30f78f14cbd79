import { performance } from 'node:perf_hooks';
import { callback, count, oneOf, type OptionTable, readOptions } from '@fledge-internal/options';
import { callHook } from '../call-hook.js';
import { abortSignal, placeOf } from '../option-rules.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantForEachError, TenantOptionError } from '../tenant.errors.js';
import { isIterable, kindOf } from '../value-kind.js';
import type { TenantOutcome } from './tenant-outcome.js';
import { enterScope, NO_TENANT } from './tenant-scope.js';

export interface ForEachOptions {
  /** Number of tenants that are processed at the same time. @default 1 */
  readonly concurrency?: number;
  /**
   * `stop`: after the first error, no further call starts. `forEach` throws a `TenantForEachError`
   * with the outcomes. `collect`: each error becomes an outcome.
   * @default 'stop'
   */
  readonly onError?: 'stop' | 'collect';
  /**
   * If the signal aborts, no further call starts. Running calls receive the signal as
   * `call.signal`, and `forEach` waits for these calls.
   */
  readonly signal?: AbortSignal;
  /**
   * Called after each tenant, also if the tenant was skipped. Runs without a tenant. Errors of this
   * callback are logged.
   */
  readonly onProgress?: (outcome: TenantOutcome, progress: ForEachProgress) => void;
}

export interface ForEachProgress {
  /** Number of tenants with an outcome. */
  readonly finished: number;
  readonly total: number;
}

/** The second argument of the function. The tenant is the first. */
export interface ForEachCall {
  /** The option `signal`, or a signal that never aborts. */
  readonly signal: AbortSignal;
}

const OPTIONS = {
  concurrency: count.default(1),
  onError: oneOf('stop', 'collect').default('stop'),
  signal: abortSignal.optional,
  onProgress: callback<NonNullable<ForEachOptions['onProgress']>>().optional,
} satisfies OptionTable<ForEachOptions>;

/**
 * Rejects strings: each string is iterable, so '17' would mean the tenants '1' and '7'.
 * @throws TenantOptionError
 */
export function readTenants(
  tenants: Iterable<string | TenantContext>,
): readonly (string | TenantContext)[] {
  const given: unknown = tenants;
  if (typeof given === 'string') {
    throw new TenantOptionError(
      `forEach() received the string ${JSON.stringify(given)}. Pass 'all' or a list of tenants: ` +
        `forEach([${JSON.stringify(given)}], run).`,
    );
  }
  if (!isIterable(given)) {
    throw new TenantOptionError(
      `forEach() received ${kindOf(given)}. Pass 'all' or a list of tenants: forEach(['acme'], run).`,
    );
  }
  return [...tenants];
}

/** See `Tenancy.forEach`. @throws TenantOptionError */
export async function runForEach<T>(
  tenants: readonly (string | TenantContext)[],
  work: (tenant: string | TenantContext, call: ForEachCall) => Promise<T>,
  options: ForEachOptions,
): Promise<TenantOutcome<T>[]> {
  const place = placeOf('Tenancy.forEach');
  const { concurrency, onError, signal, onProgress } = readOptions(options, OPTIONS, place);
  const outcomes: TenantOutcome<T>[] = [];
  const call = { signal: signal ?? new AbortController().signal };
  const total = tenants.length;
  let finished = 0;
  let next = 0;
  let stopped: { readonly cause: unknown } | undefined;

  const settle = (index: number, outcome: TenantOutcome<T>): void => {
    outcomes[index] = outcome;
    finished += 1;
    if (onProgress === undefined) return;
    const progress = { finished, total };
    enterScope(NO_TENANT, () => callHook(() => onProgress(outcome, progress)));
  };
  const worker = async (): Promise<void> => {
    while (next < total && stopped === undefined && signal?.aborted !== true) {
      const index = next++;
      const given = tenants[index]!;
      const outcome = await outcomeOf(idOf(given), () => work(given, call));
      if (outcome.status === 'failed' && onError === 'stop') stopped ??= { cause: outcome.error };
      settle(index, outcome);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, worker));
  if (signal?.aborted && next < total && onError === 'stop') stopped ??= { cause: signal.reason };
  for (; next < total; next += 1) {
    settle(next, { tenant: idOf(tenants[next]!), ms: 0, status: 'skipped' });
  }
  if (stopped !== undefined) throw new TenantForEachError(outcomes, stopped.cause);
  return outcomes;
}

async function outcomeOf<T>(tenant: string, work: () => Promise<T>): Promise<TenantOutcome<T>> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    const value = await work();
    return { tenant, ms: ms(), status: 'done', value };
  } catch (error) {
    return { tenant, ms: ms(), status: 'failed', error };
  }
}

function idOf(tenant: string | TenantContext): string {
  // The list can contain anything if the application is written in JavaScript.
  return typeof tenant === 'string'
    ? tenant
    : String((tenant as Partial<TenantContext> | null | undefined)?.tenantId);
}
