import type { TenantContext } from '../tenant-context.js';

export interface ForEachOptions {
  /** Tenants worked for at once. @default 1 */
  readonly concurrency?: number;
  /** Whether the first error ends it, or is collected beside the outcomes of the others. @default 'stop' */
  readonly onError?: 'stop' | 'collect';
}

/** What came of the work for one tenant. */
export type TenantOutcome<T = unknown> =
  | { readonly tenant: string; readonly status: 'done'; readonly value: T }
  | { readonly tenant: string; readonly status: 'failed'; readonly error: unknown };

/** Works through a list of tenants; none is begun after an error that stops. */
export async function forEachOf<T>(
  tenants: readonly (string | TenantContext)[],
  work: (tenant: string | TenantContext) => Promise<T>,
  { concurrency = 1, onError = 'stop' }: ForEachOptions,
): Promise<TenantOutcome<T>[]> {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`forEach({ concurrency }) is ${concurrency}, but must be 1 or more.`);
  }
  const outcomes: TenantOutcome<T>[] = [];
  let next = 0;
  let stopped: { error: unknown } | undefined;

  const worker = async (): Promise<void> => {
    while (next < tenants.length && stopped === undefined) {
      const index = next++;
      const given = tenants[index]!;
      const tenant = typeof given === 'string' ? given : given.tenantId;
      try {
        outcomes[index] = { tenant, status: 'done', value: await work(given) };
      } catch (error) {
        outcomes[index] = { tenant, status: 'failed', error };
        if (onError === 'stop') stopped ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, tenants.length) }, worker));
  if (stopped !== undefined) throw stopped.error;
  return outcomes;
}
