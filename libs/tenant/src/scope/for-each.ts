import { requireInteger } from '../numeric-options.js';
import type { TenantContext } from '../tenant-context.js';

export interface ForEachOptions {
  /** How many tenants to work for at once. @default 1 */
  readonly concurrency?: number;
  /** `stop` throws the first error and starts no further tenant; `collect` returns errors as outcomes. @default 'stop' */
  readonly onError?: 'stop' | 'collect';
}

/** The result of the work for one tenant. */
export type TenantOutcome<T = unknown> =
  | { readonly tenant: string; readonly status: 'done'; readonly value: T }
  | { readonly tenant: string; readonly status: 'failed'; readonly error: unknown };

/** Works through a list of tenants. See `Tenancy.forEach`. */
export async function forEachOf<T>(
  tenants: readonly (string | TenantContext)[],
  work: (tenant: string | TenantContext) => Promise<T>,
  { concurrency = 1, onError = 'stop' }: ForEachOptions,
): Promise<TenantOutcome<T>[]> {
  requireInteger('forEach({ concurrency })', concurrency, 1);
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
