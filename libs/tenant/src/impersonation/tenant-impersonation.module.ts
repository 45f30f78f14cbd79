import { configurableModule } from '@fledge-internal/nest-modules';
import { ContextModule } from '@fledge/core';
import { CallerHeaders, refuseSecondImport } from '@fledge/core/packages';
import { Global, Inject, Module, Optional } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { TENANT_OPTIONS } from '../tenant-tokens.js';
import { TenantOptionError } from '../tenant.errors.js';
import { provideWithTenantModule } from '../require-tenant-module.js';
import { TenantFinder } from '../requests/find-tenant.js';
import { requireStartupScope } from '../startup-scope.js';
import {
  checkedImpersonationOptions,
  type ResolvedImpersonationOptions,
  type TenantImpersonationOptions,
} from './impersonation.options.js';
import { IMPERSONATION_OPTIONS, TenantImpersonation } from './tenant-impersonation.js';
import { placeOf } from '../option-rules.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  configurableModule<TenantImpersonationOptions>('TenantImpersonationModule', placeOf);

/**
 * Provides `TenantImpersonation`. If a request has an impersonation session, adds the support
 * person to the tenant of the request. Import the module next to `TenantModule`.
 *
 * @example
 * ```ts
 * imports: [
 *   TenantModule.forRoot({ strategy: 'subdomain' }),
 *   TenantImpersonationModule.forRoot({ secrets: [process.env.IMPERSONATION_SECRET] }),
 * ]
 * ```
 * @throws TenantOptionError at startup
 */
@Global()
@Module({
  imports: [ContextModule],
  providers: [
    {
      provide: IMPERSONATION_OPTIONS,
      useFactory: checkedImpersonationOptions,
      inject: [
        { token: MODULE_OPTIONS_TOKEN, optional: true },
        { token: TENANT_OPTIONS, optional: true },
      ],
    },
    provideWithTenantModule(
      TenantImpersonation,
      'TenantImpersonationModule',
      IMPERSONATION_OPTIONS,
    ),
    requireStartupScope(MODULE_OPTIONS_TOKEN, 'TenantImpersonationModule.forRootAsync()'),
  ],
  exports: [TenantImpersonation],
})
export class TenantImpersonationModule extends ConfigurableModuleClass {
  constructor(
    impersonation: TenantImpersonation,
    // Optional, because `impersonation` throws the error about a missing TenantModule.
    @Optional() finder: TenantFinder,
    callerHeaders: CallerHeaders,
    modules: ModulesContainer,
    @Inject(IMPERSONATION_OPTIONS) { header }: ResolvedImpersonationOptions,
  ) {
    super();
    const name = 'TenantImpersonationModule';
    refuseSecondImport(modules, TenantImpersonationModule, name, TenantOptionError);
    finder.completeTenantsWith((tenant, req) => impersonation.markTenant(tenant, req));
    // Tool calls forward the session to the routes that they call.
    callerHeaders.add(header);
  }
}
