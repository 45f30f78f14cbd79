import { ConfigurableModuleBuilder, Global, Module } from '@nestjs/common';
import { checkedLifecycleOptions } from './lifecycle-options-check.js';
import { LIFECYCLE_OPTIONS } from './lifecycle-tokens.js';
import type { TenantLifecycleOptions } from './lifecycle.options.js';
import { TenantLifecycle } from './tenant-lifecycle.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<TenantLifecycleOptions>().setClassMethodName('forRoot').build();

/**
 * Provides `TenantLifecycle`, and serves the command `fledge tenant`. Import it beside `TenantModule`.
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
 * @throws TenantOptionError at boot
 */
@Global()
@Module({
  providers: [
    {
      provide: LIFECYCLE_OPTIONS,
      useFactory: checkedLifecycleOptions,
      inject: [{ token: MODULE_OPTIONS_TOKEN, optional: true }],
    },
    TenantLifecycle,
  ],
  exports: [TenantLifecycle],
})
export class TenantLifecycleModule extends ConfigurableModuleClass {}
