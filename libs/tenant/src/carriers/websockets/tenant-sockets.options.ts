import type { OptionTable } from '@fledge-internal/options';
import { routeMode } from '../../option-rules.js';
import type { TenantRouteMode } from '../../tenant.options.js';

/** Options of `TenantSocketsModule.forRoot()`. */
export interface TenantSocketsOptions {
  /**
   * `tenant` refuses sockets without a tenant when they connect, `universal` accepts them, `central`
   * ignores the tenant of the handshake.
   * @default the mode of `TenantModule`
   */
  readonly mode?: TenantRouteMode;
}

export const SOCKETS_OPTIONS = Symbol('fledge:TenantSocketsOptions');

/** The table of the options. */
export const SOCKETS_TABLE = {
  mode: routeMode.optional,
} satisfies OptionTable<TenantSocketsOptions>;
