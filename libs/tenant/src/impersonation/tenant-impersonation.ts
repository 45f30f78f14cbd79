import { randomBytes } from 'node:crypto';
import { currentRequestContext } from '@fledge/core/packages';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { callHook } from '../call-hook.js';
import { Refusal } from '../requests/refusal.js';
import { ScopeRunner } from '../scope/scope-runner.js';
import { currentAttributes, requiredTenant } from '../scope/tenant-scope.js';
import { isImpersonator } from '../tenant-attributes.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';
import { impersonateRequest } from './impersonated-request.js';
import {
  InvalidImpersonationError,
  TenantImpersonationRefusedError,
} from './impersonation.errors.js';
import type {
  ResolvedImpersonationOptions,
  ImpersonationEvent,
  ImpersonationRefusal,
  ImpersonationRequest,
  ImpersonationSession,
} from './impersonation.options.js';
import { type Claims, CLOCK_TOLERANCE_MS, openClaims, signClaims } from './signed-claims.js';

export const IMPERSONATION_OPTIONS = Symbol('fledge:TenantImpersonationOptions');

/**
 * Lets support people act in a tenant. A code that works once is exchanged for a signed session.
 */
@Injectable()
export class TenantImpersonation {
  private readonly logger = new Logger('TenantImpersonation');

  constructor(
    @Inject(IMPERSONATION_OPTIONS) private readonly options: ResolvedImpersonationOptions,
    private readonly runner: ScopeRunner,
    private readonly refusal: Refusal,
  ) {}

  /**
   * Issues a code for one tenant. Before you call this function, check that the caller is allowed
   * to impersonate. Send the code in the body of a POST. URLs are logged, kept in histories, and
   * sent as `Referer`.
   *
   * @throws UnknownTenantError, SuspendedTenantError, TenantMaintenanceError,
   * TenantProvisioningError
   * @throws InvalidImpersonationError if `by` or `reason` is empty, is too long, or contains
   * control characters
   * @throws TenantOptionError inside an impersonation
   */
  async issue({ tenant, by, reason }: ImpersonationRequest): Promise<string> {
    if (!isImpersonator(by)) throw new InvalidImpersonationError('by');
    if (!isReason(reason)) throw new InvalidImpersonationError('reason');
    if (currentAttributes()?.impersonatedBy !== undefined) {
      throw new TenantOptionError(
        'impersonation.issue() was called inside an impersonation. Call issue() as a support ' +
          'user, outside an impersonation.',
      );
    }
    const { tenantId } = await this.runner.tenantOf(tenant, 'The impersonation request', 'run');
    const issuedAt = Date.now();
    const claims: Claims = {
      id: randomBytes(16).toString('base64url'),
      tenantId,
      by,
      reason,
      issuedAt,
      expiresAt: issuedAt + this.options.codeMs,
    };
    this.tell({ kind: 'issued', ...shownOf(claims) });
    return signClaims('code', claims, this.options.secrets[0]);
  }

  /**
   * Exchanges a code for a session. The request must belong to the code's tenant. A code works
   * once. A code that is sent to another tenant is rejected and cannot be used again.
   *
   * @param code the code that the client sent
   * @throws TenantImpersonationRefusedError if the code is not accepted
   * @throws TenantContextMissingError
   */
  async redeem(code: unknown): Promise<ImpersonationSession> {
    const tenant = requiredTenant('impersonation.redeem()');
    const { secrets, sessionMs } = this.options;
    const { claims, why } = openClaims('code', code, secrets, Date.now());
    if (claims === undefined || why !== undefined) throw this.refused(tenant, why, claims);
    // The code is marked as used before the tenants are compared. A stolen code therefore works for
    // one attempt only, in any tenant.
    if (!(await this.isFirstUse(claims))) throw this.refused(tenant, 'used', claims);
    if (claims.tenantId !== tenant.tenantId) throw this.refused(tenant, 'other tenant', claims);
    const issuedAt = Date.now();
    const session: Claims = { ...claims, issuedAt, expiresAt: issuedAt + sessionMs };
    this.tell({ kind: 'redeemed', ...shownOf(session) });
    return { ...shownOf(session), session: signClaims('session', session, secrets[0]) };
  }

  /** Adds the support person to a request's tenant. See `impersonateRequest`. */
  markTenant(tenant: TenantContext, req: TenantRequest): TenantContext {
    return impersonateRequest(tenant, req, this.options, (why, claims) =>
      this.refusedSession(tenant, why, claims),
    );
  }

  private async isFirstUse({ id, issuedAt, expiresAt }: Claims): Promise<boolean> {
    // Used codes are stored longer than they are valid, because the store's clock may differ.
    const keepUntil = expiresAt + 12 * CLOCK_TOLERANCE_MS;
    // A store written in JavaScript may return any value, such as a count.
    const taken: unknown = await this.options.usedCodes.take({ id, issuedAt, keepUntil });
    return taken === true;
  }

  /** The same error for all reasons. With `errors.opaque`, the error for an unknown tenant. */
  private refused(...facts: Parameters<TenantImpersonation['refusedSession']>): unknown {
    const error = this.refusedSession(...facts);
    const ctx = currentRequestContext();
    return ctx === undefined
      ? this.refusal.shownErrorOf(error)
      : this.refusal.httpErrorOf(error, ctx);
  }

  private refusedSession(
    { tenantId }: TenantContext,
    why: ImpersonationRefusal = 'malformed',
    claims?: Claims,
  ): TenantImpersonationRefusedError {
    this.tell({ kind: 'refused', why, at: tenantId, ...(claims && shownOf(claims)) });
    return new TenantImpersonationRefusedError();
  }

  private tell(event: ImpersonationEvent): void {
    const { onEvent } = this.options;
    if (onEvent !== undefined) return callHook(() => onEvent(event));
    if (event.kind !== 'refused') {
      const { by, tenantId, reason, id } = event;
      this.logger.log(
        `The impersonation code of ${by} for tenant "${tenantId}" was ${event.kind}: ${reason} ` +
          `(${id})`,
      );
    } else {
      const { why, at, by = 'an unknown sender', id = 'no id' } = event;
      this.logger.warn(`The impersonation of tenant "${at}" by ${by} was rejected: ${why} (${id})`);
    }
  }
}

function shownOf({ id, tenantId, by, reason, expiresAt }: Claims) {
  return { id, tenantId, by, reason, expiresAt };
}

function isReason(reason: unknown): boolean {
  return typeof reason === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u.test(reason);
}
