import type { DynamicModule, ModuleMetadata } from '@nestjs/common';
import { tenantFeatureModuleOf } from '../feature/tenant-feature.module.js';
import type { TenantProvider } from '../feature/tenant-provider.js';
import type { TenantContext } from '../tenant-context.js';

/** A connection of which each tenant has its own, such as one to the tenant's database. */
export interface TenantConnectionOptions<T extends object> extends Pick<
  TenantProvider<T>,
  'provide' | 'inject' | 'type' | 'max' | 'idleMs' | 'warm'
> {
  /** Where the dependencies of `create` are exported. @default [] */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** Connects to a tenant's database. See `TenantProvider.useFactory`. */
  // Nest's own factories take any arguments: what they are is said by `inject`.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly create: (tenant: TenantContext, ...deps: any[]) => T | Promise<T>;
  /** Ends the connection with all its sockets: a database serves few of them. */
  dispose(connection: T, tenant: TenantContext): unknown;
}

/** One injectable connection that is the one of the tenant at hand. */
export class TenantConnectionsModule {
  /**
   * Exports the connection to the whole application, so that the plugin for transactions of
   * nestjs-cls finds it: its transactions then are those of the tenant they begin for.
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
  static forRoot<T extends object>({
    imports,
    create,
    ...provider
  }: TenantConnectionOptions<T>): DynamicModule {
    const provided: TenantProvider<T> = { ...provider, useFactory: create };
    return {
      ...tenantFeatureModuleOf([provided], imports),
      module: TenantConnectionsModule,
      global: true,
    };
  }
}
