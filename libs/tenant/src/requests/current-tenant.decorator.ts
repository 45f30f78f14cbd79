import { untypedParameter } from '@fledge/core/packages';
import { createParamDecorator } from '@nestjs/common';
import { currentTenant } from '../scope/tenant-scope.js';

/**
 * Injects the tenant, a frozen object, into a handler or resolver. Null on routes without a tenant.
 *
 * @example
 * ```ts
 * @Get() list(@CurrentTenant() tenant: TenantContext) { ... }
 * ```
 */
export const CurrentTenant = (): ParameterDecorator => untypedParameter(TenantOfRequest());

const TenantOfRequest = createParamDecorator(() => currentTenant() ?? null);
