import { callback, kind, type OptionTable, readOptions } from '@fledge-internal/options';
import {
  type DynamicModule,
  type FactoryProvider,
  Module,
  type ModuleMetadata,
  type OnModuleInit,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { createFeatureModule } from './tenant-feature.module.js';
import { nameOfToken, SHARED_RULES, type TenantProvider } from './tenant-provider.js';
import { placeOf } from '../option-rules.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantOptionError } from '../tenant.errors.js';

/** Options for a connection per tenant, for example to the tenant's database. */
export interface TenantConnectionOptions<T extends object> extends Pick<
  TenantProvider<T>,
  'provide' | 'inject' | 'type' | 'max' | 'idleMs' | 'warm' | 'connections'
> {
  /** Modules that export the dependencies of the function `create`. @default [] */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** Connects to a tenant's database. See `TenantProvider.useFactory`. */
  // `any` as in Nest's own factories: `inject` determines the arguments.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly create: (tenant: TenantContext, ...deps: any[]) => T | Promise<T>;
  /** Closes the connection and its sockets. Required, because databases limit connections. */
  dispose(connection: T, tenant: TenantContext): unknown;
}

/** `forRoot()` replaces this provider of the module. */
const EXPORT_CHECK = Symbol('fledge:the check of a connection token');

const OPTIONS = {
  ...SHARED_RULES,
  imports: kind<NonNullable<ModuleMetadata['imports']>>('a list of modules', Array.isArray).default(
    [],
  ),
  create: callback<TenantConnectionOptions<object>['create']>().required,
  dispose: callback<TenantConnectionOptions<object>['dispose']>().required,
} satisfies OptionTable<TenantConnectionOptions<object>>;

/**
 * Provides one injectable connection. This connection forwards each call to the current tenant's
 * connection.
 */
@Module({ providers: [{ provide: EXPORT_CHECK, useFactory: refuseBareImport }] })
export class TenantConnectionsModule {
  /**
   * Exports the connection globally, so that the transactional plugin of nestjs-cls can find the
   * connection. A transaction uses the connection of the tenant that is current at the start of the
   * transaction.
   *
   * @throws TenantOptionError, also at startup if another global module exports the same token
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
    readOptions(options, OPTIONS, placeOf('TenantConnectionsModule.forRoot'));
    const { imports, create, ...provider } = options;
    const provided: TenantProvider<T> = { ...provider, useFactory: create };
    const feature = createFeatureModule([provided], imports, 'refused');
    return {
      ...feature,
      module: TenantConnectionsModule,
      providers: [...(feature.providers ?? []), requireOnlyExport(options.provide)],
      global: true,
    };
  }
}

/**
 * Provides a check that stops startup if another global module exports the token. Modules would
 * get the tenant's connection or the other provider, depending on the order of imports.
 */
function requireOnlyExport(token: TenantProvider['provide']): FactoryProvider<OnModuleInit> {
  return {
    provide: EXPORT_CHECK,
    inject: [ModulesContainer],
    useFactory: (modules: ModulesContainer) => ({
      onModuleInit: () => {
        const exporting = [...modules.values()].filter(
          ({ isGlobal, exports }) => isGlobal && exports.has(token),
        );
        if (exporting.length < 2) return;
        throw new TenantOptionError(
          `${nameOfToken(token)} is exported by the global modules ` +
            `${exporting.map(({ name }) => name).join(' and ')}, so the order of imports would ` +
            'decide which one is injected. Give one of them another token: ' +
            "TenantConnectionsModule.forRoot({ provide: 'TENANT_DB' }).",
        );
      },
    }),
  };
}

/** @throws TenantOptionError */
function refuseBareImport(): never {
  throw new TenantOptionError(
    'TenantConnectionsModule has no options. Set the connection of each tenant: ' +
      'forRoot({ provide: DB, create: ({ tenantId }) => connect(tenantId), dispose: (db) => db.close() }).',
  );
}
