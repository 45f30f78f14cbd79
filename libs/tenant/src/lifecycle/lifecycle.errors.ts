import { HttpStatus } from '@nestjs/common';
import { TenantHttpError, TenantProgrammingError } from '../tenant.errors.js';
import type { TenantStepOutcome } from './lifecycle.options.js';

/**
 * A tenant with this id or identifier exists.
 * @remarks For clients: choose another name. To continue a creation that failed: `create(record, { resume: true })`.
 */
export class TenantExistsError extends TenantHttpError {
  readonly code = 'TENANT_EXISTS';

  constructor() {
    super(HttpStatus.CONFLICT, 'TENANT_EXISTS', 'There is a tenant with this name');
  }
}

/**
 * Another runner is creating, migrating or removing the tenant.
 * @remarks Try again when it has finished.
 */
export class TenantLockedError extends TenantHttpError {
  readonly code = 'TENANT_LOCKED';

  constructor() {
    super(HttpStatus.SERVICE_UNAVAILABLE, 'TENANT_LOCKED', 'The tenant is being changed', {
      retryAfterSeconds: 5,
    });
  }
}

/**
 * A step of `create()` or `remove()` failed. `cause` is its error. What was done stays, and the tenant is not served.
 * @remarks Correct the cause, then continue: `fledge tenant create <id> --resume`, or `remove` again.
 */
export class TenantStepError extends TenantProgrammingError {
  readonly code = 'TENANT_STEP_FAILED';

  /** @param outcomes those of the steps, the failed one last */
  constructor(
    tenantId: string,
    readonly outcomes: readonly TenantStepOutcome[],
    override readonly cause: unknown,
  ) {
    const said = cause instanceof Error ? cause.message : String(cause);
    super(
      `The step "${outcomes.at(-1)?.step}" of tenant "${tenantId}" failed: ${said}. What was done stays. ` +
        `Correct the cause and call it again; create() continues with { resume: true }.`,
    );
  }
}

/**
 * The ledger is reached through a pooler that gives each statement another session, so that two runners would
 * both get the lock of a tenant.
 * @remarks Connect `ledger` to PostgreSQL directly, or to a port of PgBouncer with `pool_mode = session`.
 */
export class TenantLedgerPooledError extends TenantProgrammingError {
  readonly code = 'TENANT_LEDGER_POOLED';

  constructor() {
    super(
      'The connection of `ledger` changes its session between statements, as through PgBouncer in ' +
        'transaction mode. Locks do not hold there. Connect to PostgreSQL directly, or use pool_mode = session.',
    );
  }
}

/**
 * The connection that held the locks was lost. The ledger does not say whether the step was done.
 * @remarks Check why the connection ended (a restart, `idle_session_timeout`), then run the command again.
 */
export class TenantLockLostError extends TenantProgrammingError {
  readonly code = 'TENANT_LOCK_LOST';

  constructor(override readonly cause: unknown) {
    super(
      'The connection of `ledger` was lost, and its locks with it. Another runner may have started. Check ' +
        'why it ended, then run again: steps without an end in the ledger are repeated.',
    );
  }
}

/**
 * `tenants`, `skip` or `canary` names a tenant that the store does not list.
 * @remarks Correct the name, or list the tenants: `fledge tenant list`.
 */
export class TenantNotListedError extends TenantProgrammingError {
  readonly code = 'TENANT_NOT_LISTED';

  constructor(readonly tenants: readonly string[]) {
    super(
      `The store lists no tenant ${tenants.map((name) => JSON.stringify(name)).join(', ')}. Correct the ` +
        'name, or list the tenants: fledge tenant list.',
    );
  }
}
