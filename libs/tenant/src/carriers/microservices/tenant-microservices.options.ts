import { type OptionTable, readOptions } from '@fledge-internal/options';
import type { ValueProvider } from '@nestjs/common';
import { placeOf, routeMode } from '../../option-rules.js';
import type { TenantRouteMode } from '../../tenant.options.js';

/** Options of `TenantMicroservicesModule.forRoot()` and of `TenantRabbitModule.forRoot()`. */
export interface TenantMicroservicesOptions {
  /**
   * The mode of messages. `tenant`: a message without a tenant is rejected. `universal`: a message
   * without a tenant is accepted. `central`: every message is handled without a tenant.
   * @default the mode of `TenantModule`
   */
  readonly mode?: TenantRouteMode;
}

export const MICROSERVICES_OPTIONS = Symbol('fledge:TenantMicroservicesOptions');

/** @throws TenantOptionError */
export function provideMicroservicesOptions(
  options: TenantMicroservicesOptions,
  call: string,
): ValueProvider {
  const useValue = readOptions(options, OPTIONS, placeOf(call));
  return { provide: MICROSERVICES_OPTIONS, useValue };
}

const OPTIONS = { mode: routeMode.optional } satisfies OptionTable<TenantMicroservicesOptions>;
