import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { TenantDirectory } from '../directory/tenant-directory.js';
import { Refusal } from '../enforce/refusal.js';
import { TenantRequests } from '../enforce/tenant-requests.js';
import { Tenancy } from '../scope/tenancy.js';
import { TenantResources } from '../scope/tenant-resources.js';
import {
  enterScope,
  refusalOf,
  scopeOfClient,
  setScope,
  type TenantScope,
} from '../scope/tenant-scope.js';
import type { TenantContext } from '../tenant-context.js';
import type { ResolvedTenantOptions } from '../tenant.defaults.js';
import { TenantNotResolvedError } from '../tenant.errors.js';
import type { TenantRequest, TenantRouteMode } from '../tenant.options.js';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import {
  closeSocket,
  holdMessages,
  isClientError,
  isTemporary,
  isConnected,
  sendException,
} from './socket-client.js';
import { handshakeOf } from './handshake.js';
import { SOCKETS_OPTIONS, type TenantSocketsOptions } from './tenant-sockets.options.js';

/** Knows whose each socket is, and runs what happens on it for its tenant. */
@Injectable()
export class SocketScopes {
  private readonly logger = new Logger('TenantSockets');
  private readonly mode: TenantRouteMode;
  private readonly handshakes = new WeakMap<object, TenantRequest>();
  private readonly arrivals = new WeakMap<object, Arrival>();

  constructor(
    @Inject(TENANT_OPTIONS) options: ResolvedTenantOptions,
    @Optional() @Inject(SOCKETS_OPTIONS) own: TenantSocketsOptions | undefined,
    private readonly requests: TenantRequests,
    private readonly directory: TenantDirectory,
    private readonly resources: TenantResources,
    private readonly tenancy: Tenancy,
    private readonly refusal: Refusal,
  ) {
    this.mode = own?.mode ?? options.mode;
  }

  /** The request that opened a socket. */
  handshakeOf(client: object): TenantRequest {
    return this.handshakes.get(client) ?? handshakeOf(client, undefined);
  }

  /**
   * A client connected. Called once for each gateway of a server, whose `accept` is called unless the
   * client is refused: at once where the tenant is known at once.
   */
  connect(client: object, handshake: TenantRequest, accept: () => void): void {
    const arrival = this.arrivals.get(client) ?? this.begin(client, handshake);
    if (arrival === 'admitted') enterScope(scopeOfClient(client) ?? NO_TENANT, accept);
    else if (arrival !== 'refused') arrival.push(accept);
  }

  /**
   * A client sent something. Its tenant is looked up again: one that was suspended, or whose
   * identifier went to another tenant, loses its sockets. While tenants cannot be looked up, only the
   * message is refused.
   */
  async message<R>(client: object, handle: () => R): Promise<Awaited<R> | undefined> {
    const scope = scopeOfClient(client) ?? NO_TENANT;
    if (scope.kind !== 'tenant') return await enterScope(scope, handle);
    let tenant: TenantContext;
    try {
      tenant = await this.directory.lookUpAgain(scope.tenant);
    } catch (error) {
      this.refuse(client, error);
      return undefined;
    }
    return this.tenancy.run(tenant, handle);
  }

  /** A client is gone, which is told even where its tenant is gone, too. */
  disconnect(client: object, tell: () => void): void {
    const scope = scopeOfClient(client) ?? NO_TENANT;
    this.within(scope, tell)?.catch((error: unknown) => {
      this.logger.error(error);
      enterScope(scope, tell);
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
    return this.requests.scopeOf(handshake);
  }

  private admit(client: object, scope: TenantScope): 'admitted' | 'refused' {
    setScope(client, scope);
    const isServed = this.mode === 'tenant' ? scope.kind === 'tenant' : !refusalOf(scope);
    if (isServed) return 'admitted';
    const reason = scope.kind === 'none' ? scope.error : undefined;
    this.refuse(client, reason ?? new TenantNotResolvedError(), 'connecting');
    return 'refused';
  }

  private async admitLater(
    client: object,
    pending: TenantScope | Promise<TenantScope>,
    // All gateways in one go: Nest tells a client that connects twice from another by their order.
    accepts: readonly (() => void)[],
  ): Promise<void> {
    const release = holdMessages(client);
    try {
      const scope = await pending;
      const arrival = this.admit(client, scope);
      this.arrivals.set(client, arrival);
      if (arrival === 'refused' || !isConnected(client)) return;
      await this.within(scope, () => accepts.forEach((accept) => accept()));
    } catch (error) {
      // What a tenant has of its own could not be made.
      this.refuse(client, error, 'connecting');
    } finally {
      release();
    }
  }

  /** Without a promise where nothing has to be made for the tenant first. */
  private within(scope: TenantScope, run: () => void): Promise<void> | undefined {
    if (scope.kind === 'tenant' && this.resources.any) return this.tenancy.run(scope.tenant, run);
    enterScope(scope, run);
    return undefined;
  }

  private refuse(client: object, reason: unknown, when?: 'connecting'): void {
    const told = this.refusal.clientErrorOf(reason, this.handshakeOf(client));
    if (!isClientError(told)) this.logger.error(told);
    if (when !== 'connecting' && isTemporary(told)) sendException(client, told);
    else closeSocket(client, told);
  }
}

/** What became of a client, or the gateways that wait until that is known. */
type Arrival = 'admitted' | 'refused' | (() => void)[];

const NO_TENANT: TenantScope = { kind: 'none' };
