import type { TenantRouteMode } from '../tenant.options.js';

/** Options of `TenantSocketsModule.forRoot()`. */
export interface TenantSocketsOptions {
  /**
   * Whether a socket needs a tenant: `tenant` refuses one without when it connects, `universal` lets
   * it in, `central` ignores what its handshake tells.
   * @default the mode of `TenantModule`
   */
  readonly mode?: TenantRouteMode;
}

export const SOCKETS_OPTIONS = Symbol('fledge:TenantSocketsOptions');
