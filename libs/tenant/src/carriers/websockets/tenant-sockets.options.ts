import type { TenantRouteMode } from '../../tenant.options.js';

/** Options of `TenantSocketsModule.forRoot()`. */
export interface TenantSocketsOptions {
  /**
   * The mode of sockets. `tenant`: a socket without a tenant is rejected when it connects.
   * `universal`: a socket without a tenant is accepted. `central`: the tenant of the handshake is
   * ignored.
   * @default the mode of `TenantModule`
   */
  readonly mode?: TenantRouteMode;
}

export const SOCKETS_OPTIONS = Symbol('fledge:TenantSocketsOptions');
