import { Reflector } from '@nestjs/core';
import type { TenantRouteMode } from '../tenant.options.js';

const RouteMode = Reflector.createDecorator<TenantRouteMode>();

/** The route, or each route of the class, requires a tenant. Requests without one get 400. */
export const TenantRoute = (): MethodDecorator & ClassDecorator => RouteMode('tenant');

/** The route, or each route of the class, accepts requests with and without a tenant. */
export const UniversalRoute = (): MethodDecorator & ClassDecorator => RouteMode('universal');

/** The route, or each route of the class, has no tenant. A tenant in the request is ignored. */
export const CentralRoute = (): MethodDecorator & ClassDecorator => RouteMode('central');

const reflector = new Reflector();

/**
 * Returns the mode of the method, or of its class if the method has none. Returns undefined if
 * neither is decorated.
 */
export function readRouteMode(owner: Function, handler: Function): TenantRouteMode | undefined {
  return reflector.getAllAndOverride(RouteMode, [handler, owner]);
}
