import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import { checkedMode } from '../known-options.js';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantRouteMode } from '../tenant.options.js';

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

const KNOWN: KnownOptions<TenantSocketsOptions> = { mode: true };

/** @throws TenantOptionError */
export function checkedSocketsOptions(options: TenantSocketsOptions): TenantSocketsOptions {
  const call = 'TenantSocketsModule.forRoot';
  refuseUnknownOptions(options, KNOWN, call, TenantOptionError);
  if (options.mode !== undefined) checkedMode(options.mode, call);
  return options;
}
