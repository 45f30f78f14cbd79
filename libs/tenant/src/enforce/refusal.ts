import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { RequestContext } from '@fledge/core';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import {
  AmbiguousTenantError,
  InvalidTenantError,
  SuspendedTenantError,
  TenantHttpError,
  TenantMaintenanceError,
  TenantMismatchError,
  UnknownTenantError,
} from '../tenant.errors.js';
import { callHook } from '../call-hook.js';
import type { TenantRequest } from '../tenant.options.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';

/** Makes what a client is told of why its request is refused. */
@Injectable()
export class Refusal {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly host: HttpAdapterHost,
  ) {}

  /** The error to throw for a reason. Tells the hook, and the client when to try again. */
  httpErrorOf(reason: unknown, ctx: RequestContext): unknown {
    const told = this.clientErrorOf(reason, ctx.req);
    if (told instanceof TenantHttpError && told.retryAfterSeconds !== undefined) {
      this.host.httpAdapter.setHeader(ctx.res, 'Retry-After', String(told.retryAfterSeconds));
    }
    return told;
  }

  /**
   * Whether guards answer before the reason does. Else a stranger would get 401 for a tenant that
   * exists, and 404 for one that does not.
   */
  isSecret(reason: unknown): boolean {
    if (this.options.errors.opaque !== true) return false;
    // Both are seen from the request alone.
    return !(reason instanceof AmbiguousTenantError || reason instanceof InvalidTenantError);
  }

  /** The same for what has no response of HTTP, such as a socket. */
  clientErrorOf(reason: unknown, req: TenantRequest): unknown {
    callHook(() => this.options.hooks.rejected?.(reason, req));
    const isHidden = this.options.errors.opaque === true && revealsTenants(reason);
    return isHidden ? new UnknownTenantError() : reason;
  }
}

function revealsTenants(reason: unknown): boolean {
  return (
    reason instanceof SuspendedTenantError ||
    reason instanceof TenantMaintenanceError ||
    reason instanceof TenantMismatchError
  );
}
