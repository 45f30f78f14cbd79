import { configurableModule } from '@fledge-internal/nest-modules';
import { ContextModule } from '@fledge/core';
import { refuseSecondImport } from '@fledge/core/packages';
import {
  type DynamicModule,
  Global,
  Inject,
  Logger,
  Module,
  type NestModule,
} from '@nestjs/common';
import { ApplicationConfig, DiscoveryModule, ModulesContainer } from '@nestjs/core';
import { TenantDirectory } from './directory/tenant-directory.js';
import { ignoresHeader, listUnusedOptions } from './identify/create-sources.js';
import { TenantVerifyInterceptor, TenantVerifier } from './requests/tenant-verifier.js';
import { CacheAudit } from './requests/cache-audit.js';
import { PathStripMount } from './requests/path-strip-mount.js';
import { Refusal } from './requests/refusal.js';
import { TenantGate } from './requests/tenant-gate.js';
import { neededTenantModule } from './requests/tenant-module-needed.js';
import { TenantMetrics } from './requests/tenant-metrics.js';
import { TenantFinder } from './requests/find-tenant.js';
import { createFeatureModule } from './instances/tenant-feature.module.js';
import type { TenantProvider } from './instances/tenant-provider.js';
import { Invalidation } from './scope/invalidation.js';
import { ScopeRunner } from './scope/scope-runner.js';
import { Tenancy } from './scope/tenancy.js';
import { tenantContextProxy } from './scope/tenant-context-proxy.js';
import { TenantResources } from './scope/tenant-resources.js';
import { requireStartupScope } from './startup-scope.js';
import { TenantPanelSource } from './observe/tenant-panel.source.js';
import { TenantAdapter } from './tenant.adapter.js';
import { type ResolvedTenantOptions, resolveTenantOptions } from './tenant.defaults.js';
import { TenantOptionError } from './tenant.errors.js';
import type { TenantAdapterOptions } from './tenant.options.js';
import { TENANT_CONTEXT, TENANT_OPTIONS } from './tenant-tokens.js';
import { UntakenCommand } from './untaken-command.js';
import { placeOf } from './option-rules.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = configurableModule<TenantAdapterOptions>(
  'TenantModule',
  placeOf,
);

/**
 * Finds the tenant of each request and provides it as `TENANT_CONTEXT`.
 *
 * @example
 * ```ts
 * @Module({ imports: [TenantModule.forRoot({ strategy: 'header' })] })
 * export class AppModule {}
 * ```
 */
@Global()
@Module({
  imports: [ContextModule, DiscoveryModule],
  providers: [
    {
      provide: TENANT_OPTIONS,
      useFactory: resolveTenantOptions,
      inject: [{ token: MODULE_OPTIONS_TOKEN, optional: true }],
    },
    { provide: TENANT_CONTEXT, useFactory: tenantContextProxy },
    {
      provide: TenantDirectory,
      useFactory: ({ store, cache }: ResolvedTenantOptions) => new TenantDirectory(store, cache),
      inject: [TENANT_OPTIONS],
    },
    {
      provide: TenantResources,
      useFactory: ({ budget }: ResolvedTenantOptions) => new TenantResources(budget),
      inject: [TENANT_OPTIONS],
    },
    ScopeRunner,
    Invalidation,
    Tenancy,
    TenantMetrics,
    TenantFinder,
    Refusal,
    TenantVerifier,
    TenantGate,
    TenantVerifyInterceptor,
    PathStripMount,
    CacheAudit,
    UntakenCommand,
    TenantAdapter,
    TenantPanelSource,
    requireStartupScope(MODULE_OPTIONS_TOKEN, 'TenantModule.forRootAsync()'),
  ],
  exports: [
    TENANT_CONTEXT,
    Tenancy,
    TenantAdapter,
    // Exported for other modules of this package, and for interceptors that decorators add to any
    // module.
    TENANT_OPTIONS,
    TenantDirectory,
    TenantFinder,
    TenantResources,
    ScopeRunner,
    TenantMetrics,
    TenantVerifier,
    Refusal,
  ],
})
export class TenantModule extends ConfigurableModuleClass implements NestModule {
  private readonly logger = new Logger('TenantModule');

  constructor(
    private readonly config: ApplicationConfig,
    @Inject(TENANT_OPTIONS) private readonly options: ResolvedTenantOptions,
    private readonly verifyInterceptor: TenantVerifyInterceptor,
    private readonly pathStrip: PathStripMount,
    private readonly modules: ModulesContainer,
  ) {
    super();
    neededTenantModule.import();
  }

  /**
   * Declares providers with one instance per tenant. Singletons can inject these providers.
   *
   * @example
   * ```ts
   * TenantModule.forFeature([{ provide: MAILER, useFactory: (tenant) => new Mailer(tenant.tenantId) }])
   * ```
   */
  static forFeature(providers: readonly TenantProvider[]): DynamicModule {
    return createFeatureModule(providers);
  }

  /** Runs after `main.ts`, but before Nest registers routes. */
  configure(): void {
    // Undefined if the options are request-scoped. `requireStartupScope` then stops startup.
    if ((this.options as ResolvedTenantOptions | undefined) === undefined) return;
    refuseSecondImport(this.modules, TenantModule, 'TenantModule', TenantOptionError);
    this.warnOfUnusedOptions();
    this.pathStrip.mount();
    // Registered first. The application's interceptors then run only for verified requests.
    const { verify, errors } = this.options;
    if (verify || errors.opaque)
      this.config.getGlobalInterceptors().unshift(this.verifyInterceptor);
    if (verify && verify.required === undefined) {
      this.logger.warn(
        'TenantModule.forRoot({ verify }) does not set `required`. If `verify.principal` returns ' +
          'null or undefined, for example for a request without a user, the request can use any ' +
          'tenant. Set `verify.required` to true to reject such requests, or to false if other ' +
          'guards reject them.',
      );
    }
  }

  private warnOfUnusedOptions(): void {
    if (ignoresHeader(this.options)) {
      this.logger.warn(
        'The strategy "header" never finds a tenant, because `trust.header` in ' +
          'TenantModule.forRoot() trusts nobody. List the peers that may send the header, or remove ' +
          'the strategy.',
      );
    }
    const names = listUnusedOptions(this.options);
    if (names.length === 0) return;
    this.logger.warn(
      `TenantModule.forRoot({ ${names.join(', ')} }) has no effect, because \`strategy\` does not ` +
        'contain the strategies that read these options. Remove the options, or add the strategies.',
    );
  }
}
