import { nameDecorated } from '@fledge-internal/nest-modules';
import { untypedParameter } from '@fledge/core/packages';
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
  const decorate = untypedParameter(TenantOfRequest());
  return (target, key, index: unknown) => {
    if (typeof index === 'number') return decorate(target, key, index);
    throw new TenantOptionError(
      `@CurrentTenant() is on ${nameDecorated(target, key)}, but must be on a parameter of a method.`,
    );
  };
};

const TenantOfRequest = createParamDecorator(() => currentTenant() ?? null);
