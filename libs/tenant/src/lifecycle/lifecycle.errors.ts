import { HttpStatus } from '@nestjs/common';
import { TenantHttpError, TenantProgrammingError } from '../tenant.errors.js';
import type { TenantStepOutcome } from './lifecycle.options.js';

/**
 * A tenant with this id or identifier already exists.
 * @remarks For clients: choose another name. To continue a failed creation: `create(record, {
 * resume: true })`.
 */
export class TenantExistsError extends TenantHttpError {
  readonly code = 'TENANT_EXISTS';

  constructor() {
    super(HttpStatus.CONFLICT, 'TENANT_EXISTS', 'A tenant with this name already exists');
  }
}

/**
 * Another process is creating, migrating or removing the tenant.
 * @remarks Try again later.
 */
export class TenantLockedError extends TenantHttpError {
  readonly code = 'TENANT_LOCKED';

  constructor() {
    super(
      HttpStatus.SERVICE_UNAVAILABLE,
      'TENANT_LOCKED',
      'The tenant is being created, migrated or removed',
      {
        retryAfterSeconds: 5,
      },
    );
  }
}

/**
 * A step of `create()` or `remove()` failed. `cause` is the error of the step. The results of
 * earlier steps are kept. Requests of the tenant are rejected.
 * @remarks Fix the cause, then continue: `fledge tenant create <id> --resume`, or call `remove`
 * again.
 */
export class TenantStepError extends TenantProgrammingError {
  readonly code = 'TENANT_STEP_FAILED';

  /** @param outcomes the outcomes of the steps. The failed step is last */
  constructor(
    tenantId: string,
    readonly outcomes: readonly TenantStepOutcome[],
    override readonly cause: unknown,
  ) {
    const said = cause instanceof Error ? cause.message : String(cause);
    super(
      `The step "${outcomes.at(-1)?.step}" of tenant "${tenantId}" failed: ${said}. Completed steps are kept. ` +
        `Fix the cause and call the method again. To continue create(), pass { resume: true }.`,
    );
  }
}

/**
 * The connection to the ledger goes through a pooler. The pooler uses another session for each
 * statement. Two processes could then both get the lock of a tenant.
 * @remarks Connect `ledger` directly to PostgreSQL, or use PgBouncer with `pool_mode = session`.
 */
export class TenantLedgerPooledError extends TenantProgrammingError {
  readonly code = 'TENANT_LEDGER_POOLED';

  constructor() {
    super(
      'The connection of `ledger` uses different sessions for different statements, as with ' +
        'PgBouncer in transaction mode. Locks do not work on such a connection. Connect to ' +
        'PostgreSQL directly, or use pool_mode = session.',
    );
  }
}

/**
 * The connection with the locks was lost. The ledger does not show if the step was completed.
 * @remarks Check why the connection ended (a restart, `idle_session_timeout`), then run the command
 * again.
 */
export class TenantLockLostError extends TenantProgrammingError {
  readonly code = 'TENANT_LOCK_LOST';

  constructor(override readonly cause: unknown) {
    super(
      'The connection of `ledger` was lost, so its locks are lost too. Another process may have ' +
        'started the same steps. Check why the connection ended, then run the command again. ' +
        'Steps that are not completed in the ledger are repeated.',
    );
  }
}

/**
 * `tenants`, `skip` or `canary` contains a tenant that is not in the store's list.
 * @remarks Correct the name, or list the tenants: `fledge tenant list`.
 */
export class TenantNotListedError extends TenantProgrammingError {
  readonly code = 'TENANT_NOT_LISTED';

  constructor(readonly tenants: readonly string[]) {
    super(
      `The list of the store does not contain the tenant ` +
        `${tenants.map((name) => JSON.stringify(name)).join(', ')}. Correct the name, ` +
        'or list all tenants with `fledge tenant list`.',
    );
  }
}
