import { describe, expect, it } from '@jest/globals';
import * as tenant from '@fledge/tenant';
import * as connections from '@fledge/tenant/connections';
import * as rls from '@fledge/tenant/rls';
import * as testing from '@fledge/tenant/testing';

const namesOf = (door: object) => Object.keys(door).toSorted();

describe('@fledge/tenant', () => {
  it('exports what it promises, and nothing else', () => {
    expect(namesOf(tenant)).toEqual([
      'AmbiguousTenantError',
      'CentralRoute',
      'CurrentTenant',
      'InvalidTenantError',
      'SameTenant',
      'SuspendedTenantError',
      'TENANT_CONTEXT',
      'Tenancy',
      'TenantAdapter',
      'TenantConsoleLogger',
      'TenantContextMissingError',
      'TenantHttpError',
      'TenantInstanceNotReadyError',
      'TenantMaintenanceError',
      'TenantMismatchError',
      'TenantModule',
      'TenantNotResolvedError',
      'TenantOptionError',
      'TenantPoolClosedError',
      'TenantProgrammingError',
      'TenantRoute',
      'TenantSpanProcessor',
      'TenantStoreUnavailableError',
      'TenantTransactionMismatchError',
      'UniversalRoute',
      'UnknownTenantError',
      'UnsafeTenantPathError',
      'tenantLogFields',
    ]);
    expect(namesOf(testing)).toEqual(['TenantLeakError', 'expectNoTenantLeak']);
    expect(namesOf(connections)).toEqual(['TenantConnectionsModule']);
    expect(namesOf(rls)).toEqual([
      'RlsAuditError',
      'RlsNameError',
      'RlsQueryError',
      'RlsSetConfigError',
      'TenantRlsModule',
      'auditRls',
      'bindTenant',
      'drizzleQuery',
      'knexQuery',
      'kyselyQuery',
      'pgQuery',
      'rlsSql',
      'tenantAware',
      'typeormQuery',
    ]);
  });

  it('keeps status, code and body of what clients are told', () => {
    const answers = [
      new tenant.TenantNotResolvedError(),
      new tenant.AmbiguousTenantError('The header x'),
      new tenant.InvalidTenantError('The header x'),
      new tenant.UnknownTenantError(),
      new tenant.SuspendedTenantError(),
      new tenant.TenantMaintenanceError(60),
      new tenant.TenantMismatchError(),
      new tenant.TenantStoreUnavailableError(new Error('secret')),
    ].map((error) => error.getResponse());
    const body = (statusCode: number, error: string, code: string, message: string) => ({
      statusCode,
      error,
      code,
      message,
    });
    expect(answers).toEqual([
      body(400, 'Bad Request', 'TENANT_NOT_RESOLVED', 'Tenant could not be resolved'),
      body(400, 'Bad Request', 'TENANT_AMBIGUOUS', 'The header x tells more than one tenant'),
      body(400, 'Bad Request', 'TENANT_INVALID', 'The header x is no valid tenant identifier'),
      body(404, 'Not Found', 'TENANT_UNKNOWN', 'There is no such tenant'),
      body(403, 'Forbidden', 'TENANT_SUSPENDED', 'The tenant is suspended'),
      body(503, 'Service Unavailable', 'TENANT_MAINTENANCE', 'The tenant is under maintenance'),
      body(403, 'Forbidden', 'TENANT_MISMATCH', 'You do not belong to this tenant'),
      body(
        503,
        'Service Unavailable',
        'TENANT_STORE_UNAVAILABLE',
        'Tenants cannot be looked up at the moment',
      ),
    ]);
  });
});
