import { HttpStatus } from '@nestjs/common';
import { TenantHttpError } from '../tenant.errors.js';

/**
 * The impersonation code or session in the request is not accepted. It is forged, expired or
 * already used, or it belongs to another tenant.
 * @remarks For support people: start again on the central page. The event `refused` contains the
 * reason.
 */
export class TenantImpersonationRefusedError extends TenantHttpError {
  readonly code = 'TENANT_IMPERSONATION_REFUSED';

  constructor() {
    super(
      HttpStatus.FORBIDDEN,
      'TENANT_IMPERSONATION_REFUSED',
      'The impersonation is not accepted',
      { reveals: true },
    );
  }
}

/**
 * `impersonation.issue()` received an invalid `by` or `reason`. The value is empty, is too long, or
 * contains control characters.
 * @remarks For support people: enter a short reason on one line.
 */
export class InvalidImpersonationError extends TenantHttpError {
  readonly code = 'TENANT_IMPERSONATION_INVALID';

  /** @param field `by` or `reason` */
  constructor(field: string) {
    super(
      HttpStatus.BAD_REQUEST,
      'TENANT_IMPERSONATION_INVALID',
      `The field "${field}" of the impersonation must be a short string without control characters`,
    );
  }
}
