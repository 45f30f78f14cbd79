import { methodParameter, untypedParameter } from '@fledge-internal/nest-modules';
import { createParamDecorator } from '@nestjs/common';
import { currentTenant } from '../scope/tenant-scope.js';
import { TenantOptionError } from '../tenant.errors.js';
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
  return methodParameter(
    '@CurrentTenant()',
    untypedParameter(TenantOfRequest()),
    (message) => new TenantOptionError(message),
  );
};

const TenantOfRequest = createParamDecorator(() => currentTenant() ?? null);
