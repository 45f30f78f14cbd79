import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  Optional,
} from '@nestjs/common';
import { WsException } from '@nestjs/websockets';
import type { Observable } from 'rxjs';
import { requireTenantModule } from '../../require-tenant-module.js';
import { Refusal } from '../../requests/refusal.js';
import { TenantVerifier } from '../../requests/tenant-verifier.js';
import { currentTenant } from '../../scope/tenant-scope.js';
import type { ResolvedTenantOptions } from '../../tenant.defaults.js';
import { TenantHttpError, TenantMismatchError, TenantOptionError } from '../../tenant.errors.js';
import type { TenantRequest } from '../../tenant.options.js';
import { TENANT_OPTIONS } from '../../tenant-tokens.js';
import { SocketScopes } from './socket-scopes.js';

/**
 * Applies the option `verify` of `TenantModule` to each message of a gateway, after all guards.
 * `verify.principal` receives a copy of the handshake request. The property `user` of the copy has
 * the first of these values that is set: `client.user`, `client.data.user`, or `user` of the
 * handshake request.
 *
 * @example
 * ```ts
 * @UseGuards(TokenGuard) @UseInterceptors(TenantSocketVerifyInterceptor) @WebSocketGateway()
 * ```
 */
@Injectable()
export class TenantSocketVerifyInterceptor implements NestInterceptor {
  /** @throws TenantOptionError if a module or the option `verify` is missing */
  constructor(
    @Optional() private readonly scopes: SocketScopes,
    @Optional() private readonly refusal: Refusal,
    @Optional() private readonly verifier: TenantVerifier,
    @Optional() @Inject(TENANT_OPTIONS) options: ResolvedTenantOptions,
  ) {
    const name = 'TenantSocketVerifyInterceptor';
    requireTenantModule(options, name);
    if ((scopes as SocketScopes | undefined) === undefined) {
      throw new TenantOptionError(
        `${name} needs TenantSocketsModule. Add TenantSocketsModule to the imports of the root ` +
          'module.',
      );
    }
    if (options.verify !== undefined) return;
    throw new TenantOptionError(
      `${name} applies the option \`verify\`, but TenantModule.forRoot() has no \`verify\`, so ` +
        'each user could use any tenant. Set `verify: { principal, required: true }`, or remove ' +
        'the interceptor.',
    );
  }

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const tenant = currentTenant();
    if (tenant === undefined || execution.getType() !== 'ws') return next.handle();
    const request = requestOf(execution.getArgByIndex<Client>(0), this.scopes);
    if (await this.verifier.admits(tenant, request)) return next.handle();
    throw exceptionOf(this.refusal.clientErrorOf(new TenantMismatchError(), request));
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

/** Exception filters of gateways hide all errors except a WsException from the client. */
function exceptionOf(error: unknown): unknown {
  if (!(error instanceof TenantHttpError)) return error;
  return new WsException({ status: 'error', code: error.code, message: error.message });
}
