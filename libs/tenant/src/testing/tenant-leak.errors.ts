/** One answer that was not its caller's. */
export interface TenantLeak {
  /** Whom the request was for; null for nobody. */
  readonly asked: string | null;
  /** Whose answer it was, as the probe reads it; undefined where there was none. */
  readonly answered: string | null | undefined;
  readonly status: number;
  readonly url: string;
}

/** Requests got the answers of others. `leaks` lists them. */
export class TenantLeakError extends Error {
  readonly code = 'TENANT_LEAK';

  override get name(): string {
    return 'TenantLeakError';
  }

  constructor(
    readonly leaks: readonly TenantLeak[],
    requests: number,
  ) {
    const shown = leaks
      .slice(0, 5)
      .map(
        ({ asked, answered, status, url }) =>
          `  ${url} for ${nameOf(asked)} answered ${nameOf(answered)} (status ${status})`,
      );
    super(
      `${leaks.length} of ${requests} requests got the answer of another tenant:\n${shown.join('\n')}\n` +
        'Look for state kept in a singleton, a cache without tenancy.key(), a context entered with ' +
        'enterWith(), or a pool that calls back in the context of whoever filled it.',
    );
  }
}

function nameOf(tenant: string | null | undefined): string {
  if (tenant === undefined) return 'nothing readable';
  return tenant === null ? 'nobody' : `"${tenant}"`;
}
