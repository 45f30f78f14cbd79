import { HttpException, HttpStatus } from '@nestjs/common';

/** What a client is told about its tenant: Nest's body and a stable `code`. */
export abstract class TenantHttpError extends HttpException {
  abstract readonly code: string;

  protected constructor(
    status: HttpStatus,
    code: string,
    message: string,
    /** Seconds until it is worth trying again; sent as `Retry-After` (RFC 9110 §10.2.3). */
    readonly retryAfterSeconds?: number,
    cause?: unknown,
  ) {
    super({ statusCode: status, error: REASONS[status], message, code }, status, { cause });
    this.message = message;
  }
}

const REASONS: Partial<Record<HttpStatus, string>> = {
  [HttpStatus.BAD_REQUEST]: 'Bad Request',
  [HttpStatus.FORBIDDEN]: 'Forbidden',
  [HttpStatus.NOT_FOUND]: 'Not Found',
  [HttpStatus.SERVICE_UNAVAILABLE]: 'Service Unavailable',
};

/** Nothing in the request tells a tenant. */
export class TenantNotResolvedError extends TenantHttpError {
  readonly code = 'TENANT_NOT_RESOLVED';

  constructor() {
    super(HttpStatus.BAD_REQUEST, 'TENANT_NOT_RESOLVED', 'Tenant could not be resolved');
  }
}

/** The request tells more than one tenant. */
export class AmbiguousTenantError extends TenantHttpError {
  readonly code = 'TENANT_AMBIGUOUS';

  /** @param place such as `The header x-tenant-id` */
  constructor(place: string) {
    super(HttpStatus.BAD_REQUEST, 'TENANT_AMBIGUOUS', `${place} tells more than one tenant`);
  }
}

/** What the request sent cannot be the identifier of a tenant. */
export class InvalidTenantError extends TenantHttpError {
  readonly code = 'TENANT_INVALID';

  /** @param place such as `The header x-tenant-id` */
  constructor(place: string) {
    super(HttpStatus.BAD_REQUEST, 'TENANT_INVALID', `${place} is no valid tenant identifier`);
  }
}

/** The store knows no such tenant. Also what stands for the errors below where they are opaque. */
export class UnknownTenantError extends TenantHttpError {
  readonly code = 'TENANT_UNKNOWN';

  constructor() {
    super(HttpStatus.NOT_FOUND, 'TENANT_UNKNOWN', 'There is no such tenant');
  }
}

export class SuspendedTenantError extends TenantHttpError {
  readonly code = 'TENANT_SUSPENDED';

  constructor() {
    super(HttpStatus.FORBIDDEN, 'TENANT_SUSPENDED', 'The tenant is suspended');
  }
}

export class TenantMaintenanceError extends TenantHttpError {
  readonly code = 'TENANT_MAINTENANCE';

  constructor(retryAfterSeconds: number) {
    super(
      HttpStatus.SERVICE_UNAVAILABLE,
      'TENANT_MAINTENANCE',
      'The tenant is under maintenance',
      retryAfterSeconds,
    );
  }
}

/** Whoever is authenticated does not belong to the tenant the request asks for. */
export class TenantMismatchError extends TenantHttpError {
  readonly code = 'TENANT_MISMATCH';

  constructor(message = 'You do not belong to this tenant') {
    super(HttpStatus.FORBIDDEN, 'TENANT_MISMATCH', message);
  }
}

/** The store failed, so nobody knows whose the request is. `cause` is what it threw. */
export class TenantStoreUnavailableError extends TenantHttpError {
  readonly code = 'TENANT_STORE_UNAVAILABLE';

  constructor(cause: unknown) {
    super(
      HttpStatus.SERVICE_UNAVAILABLE,
      'TENANT_STORE_UNAVAILABLE',
      'Tenants cannot be looked up at the moment',
      5,
      cause,
    );
  }
}

/** What a programmer is told: a fact, its place and a cure. Clients see Nest's plain 500. */
export abstract class TenantProgrammingError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/** The tenant was read where none is known. */
export class TenantContextMissingError extends TenantProgrammingError {
  readonly code = 'TENANT_CONTEXT_MISSING';

  /** @param wanted what was read, such as `TENANT_CONTEXT.tenantId` */
  constructor(wanted: string) {
    super(
      `${wanted} was read where no tenant is known: outside of a request, on a @CentralRoute() or ` +
        `@UniversalRoute(), or inside runCentral(). Read it while a request of a tenant runs, wrap ` +
        `jobs and timers in tenancy.run(tenantId, fn), or ask tenancy.currentOrNull().`,
    );
  }
}

/** Options that can never work. Thrown at boot. */
export class TenantOptionError extends TenantProgrammingError {
  readonly code = 'TENANT_INVALID_OPTION';
}

/** A transaction that belongs to one tenant was about to be used for another. */
export class TenantTransactionMismatchError extends TenantProgrammingError {
  readonly code = 'TENANT_TX_MISMATCH';

  constructor(transaction: string, current: string) {
    super(
      `The open transaction belongs to tenant "${transaction}", but the current tenant is ` +
        `"${current}". Start the work of the other tenant with tenancy.run(), which starts outside ` +
        `of the transaction.`,
    );
  }
}

/** The instance of a tenant was read while it was still being made. */
export class TenantInstanceNotReadyError extends TenantProgrammingError {
  readonly code = 'TENANT_INSTANCE_NOT_READY';

  constructor(provider: string, tenantId: string) {
    super(
      `${provider} of tenant "${tenantId}" is still being made, and the code that reads it runs in ` +
        `no scope that waited for it. Wrap it in tenancy.run(tenant, fn), or have useFactory return ` +
        `the instance without a promise.`,
    );
  }
}

/** An instance of a tenant was asked for after the application was shut down. */
export class TenantPoolClosedError extends TenantProgrammingError {
  readonly code = 'TENANT_POOL_CLOSED';

  constructor(provider: string, tenantId: string) {
    super(
      `${provider} of tenant "${tenantId}" was asked for after the application was shut down. ` +
        `Finish or stop the work of tenants in beforeApplicationShutdown().`,
    );
  }
}
