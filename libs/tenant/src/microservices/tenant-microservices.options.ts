import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import { checkedMode } from '../known-options.js';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantRouteMode } from '../tenant.options.js';

/** Options of `TenantMicroservicesModule.forRoot()` and of `TenantRabbitModule.forRoot()`. */
export interface TenantMicroservicesOptions {
  /**
   * `tenant` refuses messages that name no tenant, `universal` handles them without a tenant, `central`
   * handles each message without a tenant.
   * @default the mode of `TenantModule`
   */
  readonly mode?: TenantRouteMode;
}

export const MICROSERVICES_OPTIONS = Symbol('fledge:TenantMicroservicesOptions');

const KNOWN: KnownOptions<TenantMicroservicesOptions> = { mode: true };

/** @throws TenantOptionError */
export function checkedMicroservicesOptions(
  options: TenantMicroservicesOptions,
  call: string,
): TenantMicroservicesOptions {
  refuseUnknownOptions(options, KNOWN, call, TenantOptionError);
  if (options.mode !== undefined) checkedMode(options.mode, call);
  return options;
}
