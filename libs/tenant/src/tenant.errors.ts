import { FledgeError } from '@fledge/core/packages';
import { HttpException, HttpStatus } from '@nestjs/common';
import type { TenantOutcome } from './scope/tenant-outcome.js';

/**
 * An error for the client. The body has Nest's format and a stable `code`. On NestJS 12,
 * `errorCode` has the same value.
 */
export abstract class TenantHttpError extends HttpException {
  abstract readonly code: string;
  /** Seconds until the client should try again. Sent as `Retry-After` (RFC 9110 §10.2.3). */
  readonly retryAfterSeconds: number | undefined;
  /** True if the same request may succeed later. Jobs are then retried, and sockets stay open. */
  readonly isTemporary: boolean;
  /**
   * True if the error reveals that the tenant exists. With `errors.opaque`, clients get
   * `UnknownTenantError` instead.
   */
  readonly reveals: boolean;

  protected constructor(
    status: HttpStatus,
    code: string,
    message: string,
    options: {
      readonly retryAfterSeconds?: number;
      readonly reveals?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    const { cause, retryAfterSeconds, reveals = false } = options;
    const body = { statusCode: status, error: REASONS[status], message, code };
    super(body, status, { cause, errorCode: code });
    this.message = message;
    this.retryAfterSeconds = retryAfterSeconds;
    this.isTemporary = retryAfterSeconds !== undefined;
    this.reveals = reveals;
  }
}

const REASONS: Partial<Record<HttpStatus, string>> = {
  [HttpStatus.BAD_REQUEST]: 'Bad Request',
  [HttpStatus.FORBIDDEN]: 'Forbidden',
  [HttpStatus.NOT_FOUND]: 'Not Found',
  [HttpStatus.CONFLICT]: 'Conflict',
  [HttpStatus.SERVICE_UNAVAILABLE]: 'Service Unavailable',
};

/**
 * The request contains no tenant.
 * @remarks For clients: send the tenant, for example with `X-Tenant-ID`. In your code: add
 * `@CentralRoute()` if the route needs no tenant.
 */
export class TenantNotResolvedError extends TenantHttpError {
  readonly code = 'TENANT_NOT_RESOLVED';

  constructor() {
    super(HttpStatus.BAD_REQUEST, 'TENANT_NOT_RESOLVED', 'Tenant could not be resolved');
  }
}

/**
 * The request contains more than one tenant.
 * @remarks For clients: send one tenant, and send it only once.
 */
export class AmbiguousTenantError extends TenantHttpError {
  readonly code = 'TENANT_AMBIGUOUS';

  /** @param place the place of the tenant, such as `The header x-tenant-id` */
  constructor(place: string) {
    super(HttpStatus.BAD_REQUEST, 'TENANT_AMBIGUOUS', `${place} contains more than one tenant`);
  }
}

/**
 * The request contains a value that cannot be a tenant identifier.
 * @remarks For clients: send a valid identifier. In your application: set `identifier.pattern` to
 * allow other identifiers.
 */
export class InvalidTenantError extends TenantHttpError {
  readonly code = 'TENANT_INVALID';

  /** @param place the place of the value, such as `The header x-tenant-id` */
  constructor(place: string, value = 'tenant identifier') {
    const message = `${place} contains an invalid ${value}`;
    super(HttpStatus.BAD_REQUEST, 'TENANT_INVALID', message);
  }
}

/**
 * The store has no such tenant. With `errors.opaque`, clients also get this error if another error
 * would reveal that a tenant exists.
 * @remarks For clients: check the name. A new tenant is found after `cache.negativeTtlMs`.
 */
export class UnknownTenantError extends TenantHttpError {
  readonly code = 'TENANT_UNKNOWN';

  constructor() {
    super(HttpStatus.NOT_FOUND, 'TENANT_UNKNOWN', 'There is no such tenant');
  }
}

/**
 * The store's record has `status: 'suspended'`.
 * @remarks Set another `status` in your store, then call `tenancy.invalidate(tenantId)`.
 */
export class SuspendedTenantError extends TenantHttpError {
  readonly code = 'TENANT_SUSPENDED';

  constructor() {
    super(HttpStatus.FORBIDDEN, 'TENANT_SUSPENDED', 'The tenant is suspended', { reveals: true });
  }
}

/**
 * The store's record has `status: 'maintenance'`.
 * @remarks For clients: wait for the seconds in `Retry-After`.
 */
export class TenantMaintenanceError extends TenantHttpError {
  readonly code = 'TENANT_MAINTENANCE';

  constructor(retryAfterSeconds: number) {
    super(HttpStatus.SERVICE_UNAVAILABLE, 'TENANT_MAINTENANCE', 'The tenant is under maintenance', {
      retryAfterSeconds,
      reveals: true,
    });
  }
}

/**
 * The store's record has `status: 'provisioning'`: the tenant is being created.
 * @remarks For clients: wait for the seconds in `Retry-After`. If the creation failed, continue it:
 * `fledge tenant create <id> --resume`.
 */
export class TenantProvisioningError extends TenantHttpError {
  readonly code = 'TENANT_PROVISIONING';

  constructor(retryAfterSeconds: number) {
    super(HttpStatus.SERVICE_UNAVAILABLE, 'TENANT_PROVISIONING', 'The tenant is being created', {
      retryAfterSeconds,
      reveals: true,
    });
  }
}

/**
 * The authenticated user does not belong to the tenant of the request.
 * @remarks For clients: use a token for this tenant. In your code: check the result of
 * `verify.principal`.
 */
export class TenantMismatchError extends TenantHttpError {
  readonly code = 'TENANT_MISMATCH';

  constructor(message = 'You do not belong to this tenant') {
    super(HttpStatus.FORBIDDEN, 'TENANT_MISMATCH', message, { reveals: true });
  }
}

/**
 * The store failed, so the tenant was not looked up. `cause` is the store's error.
 * @remarks Read `cause` in the log. It is the error of your `store`. Clients can retry after the
 * seconds in `Retry-After`.
 */
export class TenantStoreUnavailableError extends TenantHttpError {
  readonly code = 'TENANT_STORE_UNAVAILABLE';

  constructor(cause: unknown) {
    super(
      HttpStatus.SERVICE_UNAVAILABLE,
      'TENANT_STORE_UNAVAILABLE',
      'Tenants cannot be looked up at the moment',
      { retryAfterSeconds: 5, cause },
    );
  }
}

/**
 * Other tenants use all connections of the budget.
 * @remarks For clients: wait for the seconds in `Retry-After`. In your application: raise
 * `budget.connections` or `budget.waitMs`, or lower the option `connections` of the providers.
 */
export class TenantConnectionsBusyError extends TenantHttpError {
  readonly code = 'TENANT_CONNECTIONS_BUSY';

  /** @param waitMs the maximum time for which a request waits, in milliseconds */
  constructor(waitMs: number) {
    super(
      HttpStatus.SERVICE_UNAVAILABLE,
      'TENANT_CONNECTIONS_BUSY',
      'All connections are in use by other tenants',
      { retryAfterSeconds: Math.min(60, Math.max(1, Math.ceil(waitMs / 1_000))) },
    );
  }
}

/**
 * A part of a path is invalid, or leads out of the tenant's folder.
 * @remarks For clients: send a name without slashes, backslashes, colons and control characters. In
 * your code: pass each part of the path as an argument, as in `tenancy.path('invoices', name)`.
 */
export class UnsafeTenantPathError extends TenantHttpError {
  readonly code = 'TENANT_UNSAFE_PATH';

  constructor(part: string) {
    const message = `${JSON.stringify(part)} is not a valid name of a file or folder`;
    super(HttpStatus.BAD_REQUEST, 'TENANT_UNSAFE_PATH', message);
  }
}

/** A mistake in the application's code or options. Clients receive Nest's plain 500. */
export abstract class TenantProgrammingError extends FledgeError {}

/**
 * Code reads the current tenant, but there is none.
 * @remarks Wrap jobs and timers in `tenancy.run(tenantId, fn)`, or use `tenancy.currentOrNull()`.
 */
export class TenantContextMissingError extends TenantProgrammingError {
  readonly code = 'TENANT_CONTEXT_MISSING';

  /**
   * @param wanted the code that needs the tenant, such as `TENANT_CONTEXT.tenantId` or `A query`
   */
  constructor(wanted: string) {
    super(
      `${wanted} needs a tenant, but there is none: the code runs outside a request, on a ` +
        `@CentralRoute() or @UniversalRoute(), or inside runCentral(). Run the code in a request ` +
        `of a tenant, wrap jobs and timers in tenancy.run(tenantId, fn), or use ` +
        `tenancy.currentOrNull().`,
    );
  }
}

/**
 * An option or an argument has an invalid value. Options are checked at startup.
 * @remarks Correct the option or argument in the message.
 */
export class TenantOptionError extends TenantProgrammingError {
  readonly code = 'TENANT_INVALID_OPTION';
}

/**
 * The installed version of an optional peer dependency is not supported.
 * @remarks Run the `npm install` command in the message.
 */
export class TenantPeerVersionError extends TenantProgrammingError {
  readonly code = 'TENANT_PEER_VERSION';

  /** @param lacking a feature that the installed version lacks */
  constructor(entry: string, peer: string, range: string, lacking: string) {
    super(
      `${entry} needs ${peer} ${range}: the installed version lacks ${lacking}. ` +
        `Run: npm install "${peer}@${range}"`,
    );
  }
}

/**
 * Code of one tenant tried to use another tenant's open transaction.
 * @remarks Call `tenancy.run()` for the other tenant. A function in `tenancy.run()` does not use
 * the open transaction.
 */
export class TenantTransactionMismatchError extends TenantProgrammingError {
  readonly code = 'TENANT_TX_MISMATCH';

  constructor(transaction: string, current: string) {
    super(
      `The open transaction belongs to tenant "${transaction}", but the current tenant is ` +
        `"${current}". Call tenancy.run() for the other tenant. The function then runs outside ` +
        `the open transaction.`,
    );
  }
}

/**
 * Code used a tenant's instance before its factory had finished.
 * @remarks Wrap the code in `tenancy.run(tenant, fn)`. This function waits for the factory. Or use
 * a factory that does not return a promise.
 */
export class TenantInstanceNotReadyError extends TenantProgrammingError {
  readonly code = 'TENANT_INSTANCE_NOT_READY';

  constructor(provider: string, tenantId: string) {
    super(
      `${provider} of tenant "${tenantId}" is not ready: its factory has not finished, and this code ` +
        `does not wait for it. Wrap the code in tenancy.run(tenant, fn), which waits for the ` +
        `factory, or return the instance from useFactory without a promise.`,
    );
  }
}

/**
 * Code used a tenant's instance after the application was shut down.
 * @remarks End all work for tenants in `beforeApplicationShutdown()`.
 */
export class TenantPoolClosedError extends TenantProgrammingError {
  readonly code = 'TENANT_POOL_CLOSED';

  constructor(provider: string, tenantId: string) {
    super(
      `${provider} of tenant "${tenantId}" was used after the application was shut down. ` +
        `Finish or stop all work for tenants in beforeApplicationShutdown().`,
    );
  }
}

/**
 * `tenancy.forEach()` stopped, because the call for a tenant failed or `signal` aborted. `cause` is
 * the first error, or the reason of the abort. `outcomes` contains the tenants that are done,
 * failed or skipped.
 * @remarks Read `cause`. Then run the function again for all tenants that are not `done`. To
 * continue after errors, pass `onError: 'collect'`.
 */
export class TenantForEachError extends TenantProgrammingError {
  readonly code = 'TENANT_FOR_EACH_STOPPED';

  constructor(
    readonly outcomes: readonly TenantOutcome[],
    cause: unknown,
  ) {
    const count = (wanted: TenantOutcome['status']) =>
      outcomes.filter(({ status }) => status === wanted).length;
    const failed = outcomes.find(({ status }) => status === 'failed');
    const why = failed === undefined ? 'its `signal` aborted' : `tenant "${failed.tenant}" failed`;
    super(
      `forEach() stopped because ${why}: ${count('done')} done, ${count('failed')} failed, ` +
        `${count('skipped')} skipped. See \`cause\` and \`outcomes\` of this error. ` +
        `To continue after errors, pass onError: 'collect'.`,
    );
    this.cause = cause;
  }
}

/**
 * The entries of a tenant were cleared, but the store of `TenantCache` did not save this change.
 * The cache may still return the old entries.
 * @remarks Check the connection of the store, then clear the cache again. The store emits its
 * errors as events.
 */
export class TenantCacheNotClearedError extends TenantProgrammingError {
  readonly code = 'TENANT_CACHE_NOT_CLEARED';

  constructor(tenantId: string) {
    super(
      `The cache of tenant "${tenantId}" was not cleared, because the store did not record the change. Check the ` +
        `connection and the error events of the store, then call clear() again.`,
    );
  }
}

/**
 * Code requests or writes rows of another tenant. `@fledge/tenant/kysely`, `/mikro-orm` and
 * `/mongoose` throw this error.
 * @remarks For clients: omit the tenant, or send your own. In your code: omit the tenant, because
 * the guard adds it. Or call `tenancy.run()` for the other tenant.
 */
export class TenantRowMismatchError extends TenantHttpError {
  readonly code = 'TENANT_ROW_MISMATCH';

  /** @param place the place of the tenant, such as `The owner of Post.tags` */
  constructor(place: string) {
    super(HttpStatus.FORBIDDEN, 'TENANT_ROW_MISMATCH', `${place} belongs to another tenant`);
  }
}

/**
 * The guard of `@fledge/tenant/kysely`, `/mikro-orm` or `/mongoose` rejected a call, because the
 * guard cannot filter the rows of the call.
 * @remarks Write the call as the message says. If the message allows it, filter by the tenant
 * yourself.
 */
export class TenantUnguardedError extends TenantProgrammingError {
  readonly code = 'TENANT_UNGUARDED';

  /**
   * @param call the call, such as `merge into note`
   * @param reason why the call cannot be filtered
   */
  constructor(call: string, reason: string, cure: string) {
    super(`${call} is rejected: ${reason}. ${cure}.`);
  }
}
