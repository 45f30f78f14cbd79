import { HttpStatus } from '@nestjs/common';
import { TenantHttpError } from '../tenant.errors.js';

/**
 * The request carries a code or a session of an impersonation that is not accepted: forged, expired, used, or
 * of another tenant.
 * @remarks For support people: start again at the central page. The reason is in the event `refused`.
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
 * `impersonation.issue()` got a `by` or a `reason` that is empty, too long or has control characters.
 * @remarks For support people: give a short reason, in one line.
 */
export class InvalidImpersonationError extends TenantHttpError {
  readonly code = 'TENANT_IMPERSONATION_INVALID';

  /** @param field `by` or `reason` */
  constructor(field: string) {
    super(
      HttpStatus.BAD_REQUEST,
      'TENANT_IMPERSONATION_INVALID',
      `The field "${field}" of the impersonation must be a short text without control characters`,
    );
  }
}
