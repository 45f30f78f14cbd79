import { FledgeError } from '@fledge/core/packages';

/** A response with the wrong tenant. */
export interface TenantLeak {
  /** Tenant of the request. Null if the request has no tenant. */
  readonly asked: string | null;
  /** Tenant that `tenantOf` read from the response. Undefined if it found none. */
  readonly answered: string | null | undefined;
  readonly status: number;
  readonly url: string;
}

/**
 * Some responses had the wrong tenant. `leaks` contains them.
 * @remarks Look for data that is stored outside the request, for example in a shared connection or
 * a singleton.
 */
export class TenantLeakError extends FledgeError {
  readonly code = 'TENANT_LEAK';

  constructor(
    readonly leaks: readonly TenantLeak[],
    requests: number,
  ) {
    const shown = leaks
      .slice(0, 5)
      .map(
        ({ asked, answered, status, url }) =>
          `  ${url} for ${nameOf(asked)} returned ${nameOf(answered)} (status ${status})`,
      );
    super(
      `${leaks.length} of ${requests} requests returned the wrong tenant:\n${shown.join('\n')}\n` +
        'Look for state kept in a singleton, a cache without tenancy.key(), a context entered with ' +
        'enterWith(), or a pool whose callbacks run in the context of another request.',
    );
  }
}

function nameOf(tenant: string | null | undefined): string {
  if (tenant === undefined) return 'no readable tenant';
  return tenant === null ? 'no tenant' : `"${tenant}"`;
}

/**
 * A test uses a tenant that is not in the store. `actingAs()` and `inTenant()` throw this error.
 * @remarks Use one of the tenants in the message, or add the tenant to the store of the test.
 */
export class UnknownTestTenantError extends FledgeError {
  readonly code = 'TENANT_TEST_UNKNOWN';

  /** @param known identifiers of tenants in the store */
  constructor(tenant: string, known: readonly string[]) {
    const list = known.slice(0, 5).map((name) => `"${name}"`);
    super(
      `There is no tenant "${tenant}" in the store of this application. ` +
        (list.length === 0 ? 'Add it to the store.' : `Add it, or use one of: ${list.join(', ')}.`),
    );
  }
}
