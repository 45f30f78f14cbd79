import { describe, expect, it } from '@jest/globals';
import * as tenant from '@fledge/tenant';
import * as cache from '@fledge/tenant/cache';
import * as connections from '@fledge/tenant/connections';
import * as impersonation from '@fledge/tenant/impersonation';
import * as lifecycle from '@fledge/tenant/lifecycle';
import * as microservices from '@fledge/tenant/microservices';
import * as redis from '@fledge/tenant/redis';
import * as rls from '@fledge/tenant/rls';
import * as testing from '@fledge/tenant/testing';
import * as websockets from '@fledge/tenant/websockets';

const namesOf = (door: object) => Object.keys(door).toSorted();

describe('@fledge/tenant', () => {
  it('exports exactly the documented names', () => {
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
      'TenantCacheNotClearedError',
      'TenantConnectionsBusyError',
      'TenantConsoleLogger',
      'TenantContextMissingError',
      'TenantForEachError',
      'TenantHttpError',
      'TenantInstanceNotReadyError',
      'TenantMaintenanceError',
      'TenantMismatchError',
      'TenantModule',
      'TenantNotResolvedError',
      'TenantOptionError',
      'TenantPeerVersionError',
      'TenantPoolClosedError',
      'TenantProgrammingError',
      'TenantProvisioningError',
      'TenantRoute',
      'TenantRowMismatchError',
      'TenantSpanProcessor',
      'TenantStoreUnavailableError',
      'TenantTransactionMismatchError',
      'TenantUnguardedError',
      'UniversalRoute',
      'UnknownTenantError',
      'UnsafeTenantPathError',
      'tenantLogFields',
      'tenantMetricLabel',
    ]);
    expect(namesOf(cache)).toEqual(['TenantCache', 'TenantCacheInterceptor']);
    expect(namesOf(testing)).toEqual([
      'TenantLeakError',
      'UnknownTestTenantError',
      'actingAs',
      'expectNoTenantLeak',
      'inTenant',
      'sharedConnectionMiddleware',
    ]);
    expect(namesOf(redis)).toEqual(['redisInvalidations', 'tenantRedis']);
    expect(namesOf(impersonation)).toEqual([
      'InvalidImpersonationError',
      'TenantImpersonation',
      'TenantImpersonationModule',
      'TenantImpersonationRefusedError',
    ]);
    expect(namesOf(microservices)).toEqual(['TenantMicroservicesModule']);
    expect(namesOf(websockets)).toEqual(['TenantSocketVerifyInterceptor', 'TenantSocketsModule']);
    expect(namesOf(connections)).toEqual(['TenantConnectionsModule']);
    expect(namesOf(lifecycle)).toEqual([
      'TenantExistsError',
      'TenantLedgerPooledError',
      'TenantLifecycle',
      'TenantLifecycleModule',
      'TenantLockLostError',
      'TenantLockedError',
      'TenantNotListedError',
      'TenantStepError',
      'ledgerSql',
      'migrationsTarget',
      'pgLedger',
      'singleConnectionLedger',
    ]);
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
      'prismaQuery',
      'rlsSql',
      'tenantAware',
      'typeormQuery',
    ]);
  });

  it('keeps the codes of errors of the application', () => {
    const codes = [
      new tenant.TenantContextMissingError('x'),
      new tenant.TenantCacheNotClearedError('a'),
      new tenant.TenantOptionError('x'),
      new tenant.TenantPeerVersionError('a', 'b', '^1.0.0', 'c'),
      new tenant.TenantTransactionMismatchError('a', 'b'),
      new tenant.TenantInstanceNotReadyError('X', 'a'),
      new tenant.TenantPoolClosedError('X', 'a'),
      new tenant.TenantForEachError([], 'x'),
      new tenant.TenantUnguardedError('a', 'b', 'c'),
      new tenant.UnsafeTenantPathError('..'),
      new testing.TenantLeakError([], 1),
      new testing.UnknownTestTenantError('a', []),
      new lifecycle.TenantStepError('a', [], 'x'),
      new lifecycle.TenantLedgerPooledError(),
      new lifecycle.TenantLockLostError('x'),
      new lifecycle.TenantNotListedError(['a']),
      new rls.RlsAuditError([]),
      new rls.RlsNameError('table', '', 'it is empty'),
      new rls.RlsQueryError(undefined),
      new rls.RlsSetConfigError(undefined),
    ].map((error) => `${error.name} ${error.code}`);
    expect(codes).toEqual([
      'TenantContextMissingError TENANT_CONTEXT_MISSING',
      'TenantCacheNotClearedError TENANT_CACHE_NOT_CLEARED',
      'TenantOptionError TENANT_INVALID_OPTION',
      'TenantPeerVersionError TENANT_PEER_VERSION',
      'TenantTransactionMismatchError TENANT_TX_MISMATCH',
      'TenantInstanceNotReadyError TENANT_INSTANCE_NOT_READY',
      'TenantPoolClosedError TENANT_POOL_CLOSED',
      'TenantForEachError TENANT_FOR_EACH_STOPPED',
      'TenantUnguardedError TENANT_UNGUARDED',
      'UnsafeTenantPathError TENANT_UNSAFE_PATH',
      'TenantLeakError TENANT_LEAK',
      'UnknownTestTenantError TENANT_TEST_UNKNOWN',
      'TenantStepError TENANT_STEP_FAILED',
      'TenantLedgerPooledError TENANT_LEDGER_POOLED',
      'TenantLockLostError TENANT_LOCK_LOST',
      'TenantNotListedError TENANT_NOT_LISTED',
      'RlsAuditError TENANT_RLS_AUDIT',
      'RlsNameError TENANT_RLS_NAME',
      'RlsQueryError TENANT_RLS_QUERY',
      'RlsSetConfigError TENANT_RLS_SET_CONFIG',
    ]);
  });

  /** The errors that clients see. */
  const clientErrors = () => [
    new tenant.TenantNotResolvedError(),
    new tenant.AmbiguousTenantError('The header x'),
    new tenant.InvalidTenantError('The header x'),
    new tenant.UnknownTenantError(),
    new tenant.SuspendedTenantError(),
    new tenant.TenantMaintenanceError(60),
    new tenant.TenantProvisioningError(5),
    new tenant.TenantConnectionsBusyError(5_000),
    new lifecycle.TenantExistsError(),
    new lifecycle.TenantLockedError(),
    new tenant.TenantMismatchError(),
    new impersonation.TenantImpersonationRefusedError(),
    new tenant.TenantRowMismatchError('The key'),
    new tenant.TenantStoreUnavailableError(new Error('secret')),
  ];

  it('keeps status, code and body of errors that clients see', () => {
    const answers = clientErrors().map((error) => {
      expect(error.errorCode).toBe(error.code);
      return error.getResponse();
    });
    const body = (statusCode: number, error: string, code: string, message: string) => ({
      statusCode,
      error,
      code,
      message,
    });
    expect(answers).toEqual([
      body(400, 'Bad Request', 'TENANT_NOT_RESOLVED', 'Tenant could not be resolved'),
      body(400, 'Bad Request', 'TENANT_AMBIGUOUS', 'The header x contains more than one tenant'),
      body(
        400,
        'Bad Request',
        'TENANT_INVALID',
        'The header x contains an invalid tenant identifier',
      ),
      body(404, 'Not Found', 'TENANT_UNKNOWN', 'There is no such tenant'),
      body(403, 'Forbidden', 'TENANT_SUSPENDED', 'The tenant is suspended'),
      body(503, 'Service Unavailable', 'TENANT_MAINTENANCE', 'The tenant is under maintenance'),
      body(503, 'Service Unavailable', 'TENANT_PROVISIONING', 'The tenant is being created'),
      body(
        503,
        'Service Unavailable',
        'TENANT_CONNECTIONS_BUSY',
        'All connections are in use by other tenants',
      ),
      body(409, 'Conflict', 'TENANT_EXISTS', 'A tenant with this name already exists'),
      body(
        503,
        'Service Unavailable',
        'TENANT_LOCKED',
        'The tenant is being created, migrated or removed',
      ),
      body(403, 'Forbidden', 'TENANT_MISMATCH', 'You do not belong to this tenant'),
      body(403, 'Forbidden', 'TENANT_IMPERSONATION_REFUSED', 'The impersonation is not accepted'),
      body(403, 'Forbidden', 'TENANT_ROW_MISMATCH', 'The key belongs to another tenant'),
      body(
        503,
        'Service Unavailable',
        'TENANT_STORE_UNAVAILABLE',
        'Tenants cannot be looked up at the moment',
      ),
    ]);
  });

  it('keeps which errors are temporary, and which show that a tenant exists', () => {
    const facts = [...clientErrors(), new impersonation.InvalidImpersonationError('by')];
    const codesOf = (named: typeof facts) => named.map(({ code }) => code);
    expect(codesOf(facts.filter(({ isTemporary }) => isTemporary))).toEqual([
      'TENANT_MAINTENANCE',
      'TENANT_PROVISIONING',
      'TENANT_CONNECTIONS_BUSY',
      'TENANT_LOCKED',
      'TENANT_STORE_UNAVAILABLE',
    ]);
    expect(codesOf(facts.filter(({ reveals }) => reveals))).toEqual([
      'TENANT_SUSPENDED',
      'TENANT_MAINTENANCE',
      'TENANT_PROVISIONING',
      'TENANT_MISMATCH',
      'TENANT_IMPERSONATION_REFUSED',
    ]);
  });
});
