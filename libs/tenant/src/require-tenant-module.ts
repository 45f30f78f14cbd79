import type { FactoryProvider, InjectionToken, Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { TenantOptionError } from './tenant.errors.js';
import { TENANT_OPTIONS } from './tenant-tokens.js';

/**
 * The provider throws if `TenantModule` is not imported.
 * @param ownOptions token of the module's options. If the options are request-scoped, Nest does not
 * call this factory at startup, so `requireStartupScope` reports them
 */
export function provideWithTenantModule<T>(
  type: Type<T>,
  module: string,
  ...ownOptions: InjectionToken[]
): FactoryProvider<T> {
  return {
    provide: type,
    inject: [{ token: TENANT_OPTIONS, optional: true }, ModuleRef, ...ownOptions],
    useFactory: (options: unknown, moduleRef: ModuleRef) => {
      requireTenantModule(options, module);
      return moduleRef.create(type);
    },
  };
}

/**
 * @param provided a provider of `TenantModule`, or undefined if the module is not imported
 * @throws TenantOptionError if `provided` is undefined
 */
export function requireTenantModule(provided: unknown, module: string): void {
  if (provided !== undefined) return;
  throw new TenantOptionError(
    `${module} needs TenantModule. Add TenantModule.forRoot({ strategy: 'header' }) to the imports of the root module.`,
  );
}
