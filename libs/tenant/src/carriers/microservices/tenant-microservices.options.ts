import { type OptionTable, readOptions } from '@fledge-internal/options';
import { placeOf, routeMode } from '../../option-rules.js';
import type { TenantRouteMode } from '../../tenant.options.js';

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

const OPTIONS = { mode: routeMode.optional } satisfies OptionTable<TenantMicroservicesOptions>;

/** @throws TenantOptionError */
export function checkedMicroservicesOptions(
  options: TenantMicroservicesOptions,
  call: string,
): TenantMicroservicesOptions {
  readOptions(options, OPTIONS, placeOf(call));
  return options;
}
