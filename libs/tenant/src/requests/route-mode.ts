import { Reflector } from '@nestjs/core';
import type { TenantRouteMode } from '../tenant.options.js';

const RouteMode = Reflector.createDecorator<TenantRouteMode>();

/**
 * The route requires a tenant. On a class, this applies to all its routes. Requests without a
 * tenant get 400.
 */
export const TenantRoute = (): MethodDecorator & ClassDecorator => RouteMode('tenant');

/**
 * The route accepts requests with and without a tenant. On a class, this applies to all its routes.
 */
export const UniversalRoute = (): MethodDecorator & ClassDecorator => RouteMode('universal');

/**
 * The route has no tenant. On a class, this applies to all its routes. A tenant in the request is
 * ignored.
 */
export const CentralRoute = (): MethodDecorator & ClassDecorator => RouteMode('central');

const reflector = new Reflector();

/** The mode of a method overrides the mode of its class. */
export function readRouteMode(owner: Function, handler: Function): TenantRouteMode | undefined {
  return reflector.getAllAndOverride(RouteMode, [handler, owner]);
}
