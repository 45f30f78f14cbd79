import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@fledge/core';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TenantHttpError, UnknownTenantError } from '../tenant.errors.js';
import { callHook } from '../call-hook.js';
import type { TenantRequest } from '../tenant.options.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { type HeadedResponse, setHeader } from './response-headers.js';

/** Decides which error the client of a rejected request receives. */
@Injectable()
export class Refusal {
  constructor(@Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions) {}

  /** Returns the error to throw for an HTTP request. Also sets the `Retry-After` header. */
  httpErrorOf(reason: unknown, ctx: RequestContext): unknown {
    const error = this.clientErrorOf(reason, ctx.req);
    if (error instanceof TenantHttpError && error.retryAfterSeconds !== undefined) {
      setHeader(ctx.res as HeadedResponse, 'Retry-After', String(error.retryAfterSeconds));
    }
    return error;
  }

  /**
   * Returns true if the guards must run before the error is sent. Otherwise, unauthenticated
   * clients could find out if a tenant exists: clients would get 401 for existing tenants, and 404
   * for others.
   */
  isSecret(reason: unknown): boolean {
    // A 400 depends only on the request, so a 400 does not reveal if a tenant exists.
    const isBadRequest = reason instanceof TenantHttpError && reason.getStatus() === 400;
    return this.options.errors.opaque && !isBadRequest;
  }

  /** Returns the error for the client, without HTTP headers. Calls `hooks.rejected`. */
  clientErrorOf(reason: unknown, req: TenantRequest): unknown {
    callHook(() => this.options.hooks.rejected?.(reason, req));
    return this.shownErrorOf(reason);
  }

  /** Returns the error for the sender of a message. Calls no hook, because there is no request. */
  shownErrorOf(reason: unknown): unknown {
    const reveals = reason instanceof TenantHttpError && reason.reveals;
    return this.options.errors.opaque && reveals ? new UnknownTenantError() : reason;
  }
}
