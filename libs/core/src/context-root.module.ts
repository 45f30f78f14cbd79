import { refuseSecondCopy } from './boot-checks.js';
import { Global, Module, type NestModule, type OnModuleInit } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
  MetadataScanner,
  ModulesContainer,
} from '@nestjs/core';
import { CallerHeaders } from './caller-headers.js';
import { bindSubscribers } from './context/bind-subscribers.js';
import { CurrentRequestContext, shareClsStore } from './context/current-context.js';
import type { ContextRequest, ContextResponse } from './context/platform.js';
import { RequestContext } from './context/request-context.js';
import { RequestContexts } from './context/request-contexts.js';
import { RequestRevocations } from './context/request-revocations.js';
import { storeMapsOf } from './context/store-maps.js';
import { ContributorGuard } from './contributors/contributor.guard.js';
import { ContributorPlanner } from './contributors/contributor.planner.js';
import { RequestGate } from './contributors/request-gate.js';
import { refuseIgnoredSchemas } from './ignored-schemas.js';
import { IntrospectionRegistry } from './introspection.registry.js';
import { PanelSources } from './panel/panel-sources.js';

/** The part of ContextModule an application has once, however often that is imported. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: RequestContext, useClass: CurrentRequestContext },
    RequestContexts,
    RequestRevocations,
    CallerHeaders,
    ContributorPlanner,
    ContributorGuard,
    RequestGate,
    IntrospectionRegistry,
    PanelSources,
  ],
  exports: [
    RequestContext,
    RequestContexts,
    RequestRevocations,
    RequestGate,
    CallerHeaders,
    IntrospectionRegistry,
    PanelSources,
  ],
})
export class ContextRootModule implements NestModule, OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
    private readonly planner: ContributorPlanner,
    private readonly guard: ContributorGuard,
    private readonly contexts: RequestContexts,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {
    // Here, because `configure` is for HTTP only.
    refuseSecondCopy();
    bindSubscribers();
  }

  /**
   * Nest calls it after `main.ts` and before the routes. The adapter's own `use` reaches every
   * request, prefixed, excluded, versioned or unknown; `consumer.apply()` does not on Express.
   */
  configure(): void {
    this.planner.planRoutes();
    // Three parameters: Express takes a function of four for an error handler.
    this.host.httpAdapter.use((req: ContextRequest, res: ContextResponse, next: () => void) =>
      this.contexts.serve(req, res, next),
    );
    const modules = [...this.modules.values()].map(({ metatype }) => metatype);
    for (const map of storeMapsOf(modules)) this.host.httpAdapter.use(shareClsStore(map));
    // In front of guards registered by APP_GUARD and by useGlobalGuards(), which may read the context.
    this.config.getGlobalGuards().unshift(this.guard);
  }

  onModuleInit(): void {
    refuseIgnoredSchemas(this.discovery, this.scanner);
  }
}
