import { refuseSecondCopy } from '../checks/installation-check.js';
import { Global, Module, type NestModule } from '@nestjs/common';
import { ApplicationConfig, DiscoveryModule } from '@nestjs/core';
import { ClosingModule } from '../adapters/before-closing.js';
import { CallObservers } from '../contracts/call-observers.js';
import { CallerHeaders } from '../contracts/caller-headers.js';
import { CallerTenants } from '../contracts/caller-tenants.js';
import { bindSubscribers } from '../context/bind-subscribers.js';
import { ContextMount } from '../context/context-mount.js';
import { CurrentRequestContext } from '../context/open-context.js';
import { RequestContext } from '../context/request-context.js';
import { RequestContexts } from '../context/request-contexts.js';
import { RequestRevocations } from '../context/request-revocations.js';
import { neededContextModule } from '../contributors/context-module-needed.js';
import { ContributorGuard, RequestGate } from '../contributors/contributor.guard.js';
import { ContributorPlanner } from '../contributors/contributor.planner.js';
import { GraphqlSchemas } from '../contracts/graphql-schemas.js';
import { IgnoredSchemaCheck } from '../checks/ignored-schema-check.js';
import { IntrospectionRegistry } from '../contracts/introspection.registry.js';
import { OpenTelemetryLoader } from '../contracts/open-telemetry.js';
import { PanelSources } from '../contracts/panel-sources.js';
import { RouteHandlers } from '../contracts/route-handlers.js';

/** Exists once in an application, even if ContextModule is imported several times. */
@Global()
@Module({
  imports: [DiscoveryModule, ClosingModule],
  providers: [
    { provide: RequestContext, useClass: CurrentRequestContext },
    RequestContexts,
    ContextMount,
    RequestRevocations,
    CallerHeaders,
    CallerTenants,
    CallObservers,
    ContributorPlanner,
    IgnoredSchemaCheck,
    ContributorGuard,
    RequestGate,
    IntrospectionRegistry,
    GraphqlSchemas,
    PanelSources,
    RouteHandlers,
    OpenTelemetryLoader,
  ],
  exports: [
    ClosingModule,
    RequestContext,
    RequestContexts,
    RequestRevocations,
    RequestGate,
    CallerHeaders,
    CallerTenants,
    CallObservers,
    IntrospectionRegistry,
    GraphqlSchemas,
    PanelSources,
    RouteHandlers,
  ],
})
export class ContextRootModule implements NestModule {
  constructor(
    private readonly config: ApplicationConfig,
    private readonly planner: ContributorPlanner,
    private readonly guard: ContributorGuard,
    private readonly contexts: ContextMount,
  ) {
    // This check is not in `configure`, because Nest calls `configure` only in applications with
    // HTTP.
    refuseSecondCopy();
    neededContextModule.import();
    bindSubscribers();
  }

  /** Nest calls this after `main.ts` has run and before it registers the routes. */
  configure(): void {
    this.planner.planRoutes();
    this.contexts.mount();
    // This guard must run first, because the guards of APP_GUARD and useGlobalGuards() may read the
    // context.
    this.config.getGlobalGuards().unshift(this.guard);
  }
}
