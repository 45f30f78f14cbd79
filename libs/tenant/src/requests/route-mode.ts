import { nameDecorated } from '@fledge-internal/nest-modules';
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
 * ignored, except by resolvers: all resolvers of a GraphQL operation share the tenant.
 */
export const CentralRoute = (): MethodDecorator & ClassDecorator => modeDecorator('central');

/**
 * @throws TenantOptionError if the same method or class has another mode, or is central and has
 * `@SameTenant()`
 */
function modeDecorator(mode: TenantRouteMode): MethodDecorator & ClassDecorator {
  return (target: object, key?: string | symbol, descriptor?: { readonly value?: unknown }) => {
    neededTenantModule.need();
    const owner = (descriptor?.value ?? target) as Function;
    const other: unknown = Reflect.getOwnMetadata(RouteMode.KEY, owner);
    if (other !== undefined && other !== mode) {
      throw new TenantOptionError(
        `${nameDecorated(target, key)} has two of the decorators ` +
          '@TenantRoute(), @UniversalRoute() and @CentralRoute(). Keep one of them.',
      );
    }
    RouteMode(mode)(owner);
    refuseCentral(mode, owner, nameDecorated(target, key));
    if (key !== undefined || mode !== 'central') return;
    // Decorators of methods run before those of their class.
    const methods = Object.entries(Object.getOwnPropertyDescriptors(owner.prototype as object));
    for (const [name, property] of methods) {
      const method: unknown = property.value;
      if (typeof method !== 'function') continue;
      refuseCentral(readRouteMode(owner, method), method, `${owner.name}.${name}`);
    }
  };
}

const reflector = new Reflector();
const Compared = Reflector.createDecorator<true>();

/**
 * Records that a method or class has `@SameTenant()`.
 * @param name the name of the method or class, for messages
 * @throws TenantOptionError if the same method or class is central
 */
export function markCompared(owner: Function, name: string): void {
  Compared(true)(owner);
  refuseCentral(Reflect.getOwnMetadata(RouteMode.KEY, owner), owner, name);
}

function refuseCentral(mode: unknown, owner: Function, name: string): void {
  if (mode !== 'central' || !Reflect.hasOwnMetadata(Compared.KEY, owner)) return;
  throw new TenantOptionError(
    `${name} has @CentralRoute() and @SameTenant(), but a central route has no tenant to compare. ` +
      'Remove one of them, or use @UniversalRoute() instead of @CentralRoute().',
  );
}

/** The mode of a method overrides the mode of its class. */
export function readRouteMode(owner: Function, handler: Function): TenantRouteMode | undefined {
  return reflector.getAllAndOverride(RouteMode, [handler, owner]);
}
