import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { WsException } from '@nestjs/websockets';
import type { Observable } from 'rxjs';
import { principalBelongsTo } from '../enforce/principal.js';
import { Refusal } from '../enforce/refusal.js';
import { TenantMetrics } from '../enforce/tenant-metrics.js';
import { currentTenant } from '../scope/tenant-scope.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TenantHttpError, TenantMismatchError } from '../tenant.errors.js';
import type { TenantRequest } from '../tenant.options.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { SocketScopes } from './socket-scopes.js';

/**
 * Holds the tenant of a socket against whoever is authenticated, as `TenantModule`'s `verify` says,
 * for each message, after all guards. `verify.principal` gets the handshake, whose `user` is the
 * client's `user`, its `data.user`, or that of the handshake.
 *
 * @example
 * ```ts
 * @UseGuards(TokenGuard) @UseInterceptors(TenantSocketVerifyInterceptor) @WebSocketGateway()
 * ```
 */
@Injectable()
export class TenantSocketVerifyInterceptor implements NestInterceptor {
  constructor(
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly scopes: SocketScopes,
    private readonly refusal: Refusal,
    private readonly metrics: TenantMetrics,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const tenant = currentTenant();
    if (tenant !== undefined && execution.getType() === 'ws') {
      const request = requestOf(execution.getArgByIndex<Client>(0), this.scopes);
      if (!principalBelongsTo(tenant.tenantId, request, this.options.verify)) {
        this.metrics.mismatch += 1;
        throw exceptionOf(this.refusal.clientErrorOf(new TenantMismatchError(), request));
      }
    }
    return next.handle();
  }
}

interface Client {
  readonly user?: unknown;
  readonly data?: { readonly user?: unknown };
}

function requestOf(client: Client, scopes: SocketScopes): TenantRequest {
  const handshake = scopes.handshakeOf(client);
  const user = client.user ?? client.data?.user ?? handshake.user;
  return Object.create(handshake, { user: { value: user } }) as TenantRequest;
}

/** Of other errors, filters of gateways tell a client nothing. */
function exceptionOf(told: unknown): unknown {
  if (!(told instanceof TenantHttpError)) return told;
  return new WsException({ status: 'error', code: told.code, message: told.message });
}
