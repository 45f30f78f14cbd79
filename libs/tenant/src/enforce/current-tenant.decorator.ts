import { untypedParameter } from '@fledge/core';
import { createParamDecorator } from '@nestjs/common';
import { currentTenant } from '../scope/tenant-scope.js';

/**
 * Gives a handler or a resolver its tenant, frozen; null on a route that has none.
 *
 * @example
 * ```ts
 * @Get() list(@CurrentTenant() tenant: TenantContext) { ... }
 * ```
 */
export const CurrentTenant = (): ParameterDecorator => untypedParameter(TenantOfRequest());

const TenantOfRequest = createParamDecorator(() => currentTenant() ?? null);
