import { type OptionTable, readOptions } from '@fledge-internal/options';
import { placeOf, routeMode } from '../../option-rules.js';
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

const OPTIONS = { mode: routeMode.optional } satisfies OptionTable<TenantSocketsOptions>;

/** @throws TenantOptionError */
export function checkedSocketsOptions(options: TenantSocketsOptions): TenantSocketsOptions {
  readOptions(options, OPTIONS, placeOf('TenantSocketsModule.forRoot'));
  return options;
}
