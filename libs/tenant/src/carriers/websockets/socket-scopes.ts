import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { findModeRefusal } from '../../requests/missing-tenant.js';
import { Refusal } from '../../requests/refusal.js';
import { TenantFinder } from '../../requests/find-tenant.js';
import { runOrRefuse } from '../../scope/run-in-scope.js';
import { ScopeRunner } from '../../scope/scope-runner.js';
import { Tenancy } from '../../scope/tenancy.js';
import { TenantResources } from '../../scope/tenant-resources.js';
import {
  enterScope,
  NO_TENANT,
  scopeOfClient,
  setScope,
  type TenantScope,
} from '../../scope/tenant-scope.js';
import type { ResolvedTenantOptions } from '../../tenant.defaults.js';
import { TenantHttpError } from '../../tenant.errors.js';
import type { TenantRequest, TenantRouteMode } from '../../tenant.options.js';
import { TENANT_OPTIONS } from '../../tenant-tokens.js';
import {
  closeSocket,
  holdMessages,
  isClientError,
  isConnected,
  sendException,
} from './socket-client.js';
import { findHandshake } from './handshake.js';
import { SOCKETS_OPTIONS, type TenantSocketsOptions } from './tenant-sockets.options.js';

/** Finds the tenant of each socket. Runs the socket's events in the tenant's scope. */
@Injectable()
export class SocketScopes {
  private readonly logger = new Logger('TenantSockets');
  private readonly mode: TenantRouteMode;
  private readonly handshakes = new WeakMap<object, TenantRequest>();
  private readonly arrivals = new WeakMap<object, Arrival>();

  constructor(
    @Inject(TENANT_OPTIONS) options: ResolvedTenantOptions,
    @Optional() @Inject(SOCKETS_OPTIONS) own: TenantSocketsOptions | undefined,
    private readonly finder: TenantFinder,
    private readonly resources: TenantResources,
    private readonly runner: ScopeRunner,
    private readonly tenancy: Tenancy,
    private readonly refusal: Refusal,
  ) {
    this.mode = own?.mode ?? options.mode;
  }

  /** Returns the request that opened a socket. */
  handshakeOf(client: object): TenantRequest {
    return this.handshakes.get(client) ?? findHandshake(client, undefined);
  }

  /**
   * Handles a new client. Called once for each gateway of a server. Calls `accept` unless the
   * client is rejected. The call is synchronous if the tenant is found synchronously.
   */
  connect(client: object, handshake: TenantRequest, accept: () => void): void {
    const arrival = this.arrivals.get(client) ?? this.begin(client, handshake);
    if (arrival === 'admitted') enterScope(scopeOfClient(client) ?? NO_TENANT, accept);
    else if (arrival !== 'refused') arrival.push(accept);
  }

  /**
   * Looks up the tenant again. Closes the socket if the tenant is suspended, or if the tenant's
   * identifier now belongs to another tenant. If the store or a resource of the tenant fails, rejects
   * only the message.
   */
  async message(client: object, handle: () => unknown): Promise<unknown> {
    const scope = scopeOfClient(client) ?? NO_TENANT;
    if (scope.kind !== 'tenant') return await enterScope(scope, handle);
    return runOrRefuse(
      async (work) => this.tenancy.run(await this.runner.lookUpAgain(scope.tenant), work),
      handle,
      (error) => this.refuse(client, error),
    );
  }

  /** Notifies the gateway, even if the tenant's scope cannot be entered. */
  disconnect(client: object, notify: () => void): void {
    const scope = scopeOfClient(client) ?? NO_TENANT;
    this.within(scope, notify)?.catch((error: unknown) => {
      this.logger.error(error);
      enterScope(scope, notify);
    });
  }

  private begin(client: object, handshake: TenantRequest): Arrival {
    this.handshakes.set(client, handshake);
    const scope = this.identify(handshake);
    let arrival: Arrival;
    if (scope instanceof Promise || this.resources.any) {
      arrival = [];
      void this.admitLater(client, scope, arrival);
    } else {
      arrival = this.admit(client, scope);
    }
    this.arrivals.set(client, arrival);
    return arrival;
  }

  private identify(handshake: TenantRequest): TenantScope | Promise<TenantScope> {
    if (this.mode === 'central') return { kind: 'central', reason: 'a socket' };
    return this.finder.find(handshake);
  }

  private admit(client: object, scope: TenantScope): 'admitted' | 'refused' {
    setScope(client, scope);
    const refusal = findModeRefusal(this.mode, scope);
    if (refusal === undefined) return 'admitted';
    this.refuse(client, refusal, 'connecting');
    return 'refused';
  }

  private async admitLater(
    client: object,
    pending: TenantScope | Promise<TenantScope>,
    // All gateways run together, because Nest calls them in a fixed order for each client.
    accepts: readonly (() => void)[],
  ): Promise<void> {
    const release = holdMessages(client);
    try {
      const scope = await pending;
      const arrival = this.admit(client, scope);
      this.arrivals.set(client, arrival);
      if (arrival === 'refused' || !isConnected(client)) return;
      await this.within(scope, () => {
        // The client may have left while the tenant's resources were prepared.
        if (isConnected(client)) accepts.forEach((accept) => accept());
      });
    } catch (error) {
      // A resource of the tenant failed, for example its connection.
      this.refuse(client, error, 'connecting');
    } finally {
      release();
    }
  }

  /** Synchronous if the tenant has no resources to wait for. */
  private within(scope: TenantScope, run: () => void): Promise<void> | undefined {
    if (scope.kind === 'tenant' && this.resources.any) return this.tenancy.run(scope.tenant, run);
    enterScope(scope, run);
    return undefined;
  }

  private refuse(client: object, reason: unknown, when?: 'connecting'): void {
    const error = this.refusal.clientErrorOf(reason, this.handshakeOf(client));
    const isUnexpected = !isClientError(error);
    if (isUnexpected) this.logger.error(error);
    const mayStay = isUnexpected || (error instanceof TenantHttpError && error.isTemporary);
    if (when !== 'connecting' && mayStay) sendException(client, error);
    else closeSocket(client, error);
  }
}

/** Before the decision about a client, a list of callbacks of waiting gateways. */
type Arrival = 'admitted' | 'refused' | (() => void)[];
