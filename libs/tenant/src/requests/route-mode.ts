import { Reflector } from '@nestjs/core';
import { TenantOptionError } from '../tenant.errors.js';
import type { TenantRouteMode } from '../tenant.options.js';
import { neededTenantModule } from './tenant-module-needed.js';

const RouteMode = Reflector.createDecorator<TenantRouteMode>();

/**
 * The route requires a tenant. On a class, this applies to all its routes. Requests without a
 * tenant get 400.
 */
export const TenantRoute = (): MethodDecorator & ClassDecorator => modeDecorator('tenant');

/**
 * The route accepts requests with and without a tenant. On a class, this applies to all its routes.
 */
export const UniversalRoute = (): MethodDecorator & ClassDecorator => modeDecorator('universal');

/**
 * The route has no tenant. On a class, this applies to all its routes. A tenant in the request is
 * ignored.
 */
export const CentralRoute = (): MethodDecorator & ClassDecorator => modeDecorator('central');

/** @throws TenantOptionError if the same method or class has another mode */
function modeDecorator(mode: TenantRouteMode): MethodDecorator & ClassDecorator {
  return (target: object, key?: string | symbol, descriptor?: { readonly value?: unknown }) => {
    neededTenantModule.need();
    const owner = (descriptor?.value ?? target) as Function;
    const other: unknown = Reflect.getOwnMetadata(RouteMode.KEY, owner);
    if (other !== undefined && other !== mode) {
      const { name } = typeof target === 'function' ? target : target.constructor;
      throw new TenantOptionError(
        `${key === undefined ? name : `${name}.${String(key)}`} has two of the decorators ` +
          '@TenantRoute(), @UniversalRoute() and @CentralRoute(). Keep one of them.',
      );
    }
    RouteMode(mode)(owner);
  };
}

const reflector = new Reflector();

/** The mode of a method overrides the mode of its class. */
export function readRouteMode(owner: Function, handler: Function): TenantRouteMode | undefined {
  return reflector.getAllAndOverride(RouteMode, [handler, owner]);
}
