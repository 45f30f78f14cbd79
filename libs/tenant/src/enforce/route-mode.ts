import { Reflector } from '@nestjs/core';
import type { TenantRouteMode } from '../tenant.options.js';

const RouteMode = Reflector.createDecorator<TenantRouteMode>();

/** The route, or each of the class, needs a tenant: without one it answers 400. */
export const TenantRoute = (): MethodDecorator & ClassDecorator => RouteMode('tenant');

/** The route, or each of the class, serves a tenant where the request tells one, and others too. */
export const UniversalRoute = (): MethodDecorator & ClassDecorator => RouteMode('universal');

/** The route, or each of the class, is for nobody in particular: a tenant in the request is ignored. */
export const CentralRoute = (): MethodDecorator & ClassDecorator => RouteMode('central');

const reflector = new Reflector();

/** What the method says, else its class; undefined where neither says anything. */
export function routeModeOf(owner: Function, handler: Function): TenantRouteMode | undefined {
  return reflector.getAllAndOverride(RouteMode, [handler, owner]);
}
