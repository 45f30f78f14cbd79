import { QUERY_OPTIONS, type RouteQueryOptions } from '@fledge/query/nest';
import { Global, Inject, Module, type NestModule, Optional } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryModule,
  HttpAdapterHost,
  ModulesContainer,
} from '@nestjs/core';
import { ClsModule } from 'nestjs-cls';
import {
  CurrentRequestContext,
  openRequestContext,
  shareClsStore,
} from './context/current-context.js';
import type { ContextRequest, ContextResponse } from './context/platform.js';
import { RequestContext } from './context/request-context.js';
import { ContributorGuard } from './contributors/contributor.guard.js';
import { ContributorPlanner } from './contributors/contributor.planner.js';
import { IntrospectionRegistry } from './introspection.registry.js';

/** The part of ContextModule an application has once, however often that is imported. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: RequestContext, useClass: CurrentRequestContext },
    ContributorPlanner,
    ContributorGuard,
    IntrospectionRegistry,
  ],
  exports: [RequestContext, IntrospectionRegistry],
})
export class ContextRootModule implements NestModule {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
    private readonly planner: ContributorPlanner,
    private readonly guard: ContributorGuard,
    @Optional() @Inject(QUERY_OPTIONS) private readonly queryOptions?: RouteQueryOptions,
  ) {}

  /**
   * Nest calls it after `main.ts` and before the routes. The adapter's own `use` reaches every
   * request, prefixed, excluded, versioned or unknown; `consumer.apply()` does not on Express.
   */
  configure(): void {
    this.planner.planRoutes();
    // Three parameters: Express takes a function of four for an error handler.
    this.host.httpAdapter.use((req: ContextRequest, res: ContextResponse, next: () => void) =>
      openRequestContext(req, res, next, this.queryOptions),
    );
    if (this.usesCls()) this.host.httpAdapter.use(shareClsStore);
    // In front of guards registered by APP_GUARD and by useGlobalGuards(), which may read the context.
    this.config.getGlobalGuards().unshift(this.guard);
  }

  private usesCls(): boolean {
    return [...this.modules.values()].some(({ metatype }) => metatype === ClsModule);
  }
}
