import { untypedParameter } from '@fledge/core/packages';
import { createParamDecorator } from '@nestjs/common';
import { currentTenant } from '../scope/tenant-scope.js';
import { neededTenantModule } from './tenant-module-needed.js';

/**
 * Injects the current tenant into a handler or resolver. The value is null if the route has no
 * tenant. Otherwise, the value is a frozen object.
 *
 * @example
 * ```ts
 * @Get() list(@CurrentTenant() tenant: TenantContext) { ... }
 * ```
 */
export const CurrentTenant = (): ParameterDecorator => {
  neededTenantModule.need();
  return untypedParameter(TenantOfRequest());
};

const TenantOfRequest = createParamDecorator(() => currentTenant() ?? null);
