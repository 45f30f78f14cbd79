import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import type { DynamicModule, ModuleMetadata } from '@nestjs/common';
import { tenantFeatureModuleOf } from '../feature/tenant-feature.module.js';
import type { TenantProvider } from '../feature/tenant-provider.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantOptionError } from '../tenant.errors.js';

/** A connection per tenant, such as one to the tenant's database. */
export interface TenantConnectionOptions<T extends object> extends Pick<
  TenantProvider<T>,
  'provide' | 'inject' | 'type' | 'max' | 'idleMs' | 'warm' | 'connections'
> {
  /** Modules that export the dependencies of `create`. @default [] */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** Connects to a tenant's database. See `TenantProvider.useFactory`. */
  // `any` as in Nest's own factories: `inject` determines the arguments.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly create: (tenant: TenantContext, ...deps: any[]) => T | Promise<T>;
  /** Closes the connection with its sockets. Required, because databases limit connections. */
  dispose(connection: T, tenant: TenantContext): unknown;
}

const KNOWN: KnownOptions<TenantConnectionOptions<object>> = {
  provide: true,
  imports: true,
  inject: true,
  create: true,
  dispose: true,
  type: true,
  max: true,
  idleMs: true,
  warm: true,
  connections: true,
};

/** Provides one injectable connection that forwards to the current tenant's. */
export class TenantConnectionsModule {
  /**
   * Exports the connection globally, where the transactional plugin of nestjs-cls finds it. A
   * transaction then uses the connection of the tenant it begins for.
   *
   * @throws TenantOptionError
   * @example
   * ```ts
   * TenantConnectionsModule.forRoot({
   *   provide: DB,
   *   create: ({ tenantId }) => drizzle(`postgres://db.internal/${tenantId}`),
   *   dispose: (db) => db.$client.end(),
   * })
   * ```
   */
  static forRoot<T extends object>(options: TenantConnectionOptions<T>): DynamicModule {
    refuseUnknownOptions(options, KNOWN, 'TenantConnectionsModule.forRoot', TenantOptionError);
    const { imports, create, ...provider } = options;
    const provided: TenantProvider<T> = { ...provider, useFactory: create };
    return {
      ...tenantFeatureModuleOf([provided], imports, 'refused'),
      module: TenantConnectionsModule,
      global: true,
    };
  }
}
