import { configurableModule } from '@fledge-internal/nest-modules';
import { Global, Module, type NestModule, type OnModuleInit } from '@nestjs/common';
import { refuseSecondImport } from '@fledge/core/packages';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';
import { TenantOptionError } from '../tenant.errors.js';
import { provideWithTenantModule } from '../require-tenant-module.js';
import { requireStartupScope } from '../startup-scope.js';
import { CommandHost } from './command-host.js';
import { checkedLifecycleOptions } from './lifecycle-option-tables.js';
import { LIFECYCLE_OPTIONS, type TenantLifecycleOptions } from './lifecycle.options.js';
import { TenantLifecycle } from './tenant-lifecycle.js';
import { placeOf } from '../option-rules.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  configurableModule<TenantLifecycleOptions>('TenantLifecycleModule', placeOf);

/**
 * Provides `TenantLifecycle`. Serves the command `fledge tenant`. Import the module next to
 * `TenantModule`.
 *
 * @example
 * ```ts
 * TenantLifecycleModule.forRootAsync({
 *   inject: [POOL],
 *   useFactory: (pool: Pool) => ({
 *     ledger: pgLedger(pool),
 *     tenant: { provision: createSchema, migrate: migrateSchema, target: migrationsTarget('migrations') },
 *   }),
 * })
 * ```
 * @throws TenantOptionError at startup
 */
// Global, because Nest initializes global modules first.
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: LIFECYCLE_OPTIONS,
      useFactory: checkedLifecycleOptions,
      inject: [{ token: MODULE_OPTIONS_TOKEN, optional: true }],
    },
    provideWithTenantModule(TenantLifecycle, 'TenantLifecycleModule', LIFECYCLE_OPTIONS),
    CommandHost,
    requireStartupScope(MODULE_OPTIONS_TOKEN, 'TenantLifecycleModule.forRootAsync()'),
  ],
  exports: [TenantLifecycle],
})
export class TenantLifecycleModule
  extends ConfigurableModuleClass
  implements NestModule, OnModuleInit
{
  constructor(
    private readonly host: CommandHost,
    modules: ModulesContainer,
  ) {
    super();
    const name = 'TenantLifecycleModule';
    refuseSecondImport(modules, TenantLifecycleModule, name, TenantOptionError);
  }

  /**
   * Runs before other modules start their workers, timers or audits, because these need migrated
   * tables.
   */
  async configure(): Promise<void> {
    // Undefined if the options are request-scoped. `requireStartupScope` then stops startup.
    await (this.host as CommandHost | undefined)?.serve();
  }

  /**
   * Needed for applications without HTTP, because such applications do not configure middleware.
   */
  async onModuleInit(): Promise<void> {
    await this.host.serve();
  }
}
