import {
  type DynamicModule,
  Inject,
  Module,
  type NestModule,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  ApplicationConfig,
  ExternalContextCreator,
  HttpAdapterHost,
  ModulesContainer,
} from '@nestjs/core';
import type { ResolvedOperationLimits } from '../graphql.defaults.js';
import { MercuriusContextError } from '../graphql.errors.js';
import type { GraphqlMercuriusOptions } from '../graphql.options.js';
import { MERCURIUS_OPTIONS, refuseUnknownGraphqlOptions } from '../known-options.js';
import { LimitCheck, NEST_LIMITS } from '../limits/limit-check.js';
import { GraphqlHostModule } from '../mount/graphql-host.module.js';
import { guardEntities } from '../mount/guard-entities.js';
import { nestEndpoint } from '../mount/nest-endpoint.js';
import { nestGraphqlModules } from '../subscriptions/nest-graphql-modules.js';
import { limitOperations } from './limit-operations.js';
import { MercuriusContextFactory } from './mercurius-context-factory.js';
import { MercuriusCounts } from './mercurius-counts.js';
import type { Mercurius } from './mercurius-hooks.js';

/**
 * Adds the request context, the container and operation counts to `GraphQLModule` of `@nestjs/graphql` with
 * `MercuriusDriver`. Global, so that `GraphQLModule.forRootAsync({ inject: [MercuriusContextFactory] })` works.
 */
@Module({ imports: [GraphqlHostModule] })
export class GraphqlMercuriusModule implements NestModule, OnApplicationBootstrap {
  constructor(
    private readonly counts: MercuriusCounts,
    private readonly host: HttpAdapterHost,
    private readonly modules: ModulesContainer,
    private readonly creator: ExternalContextCreator,
    private readonly config: ApplicationConfig,
    @Inject(NEST_LIMITS) private readonly limits: ResolvedOperationLimits,
  ) {}

  /** @throws GraphqlOptionError for an unknown option or an invalid value */
  static forRoot(options: GraphqlMercuriusOptions = {}): DynamicModule {
    refuseUnknownGraphqlOptions(options, MERCURIUS_OPTIONS, 'GraphqlMercuriusModule.forRoot');
    const { providers, exports } = nestEndpoint(options, 'mercurius');
    return {
      module: GraphqlMercuriusModule,
      global: true,
      providers: [...providers, MercuriusCounts, MercuriusContextFactory],
      exports: [...exports, MercuriusContextFactory],
    };
  }

  /** Nest calls this before it initializes modules, so before GraphQLModule builds its schema. */
  async configure(): Promise<void> {
    const found = await nestGraphqlModules(this.modules, 'GraphqlMercuriusModule');
    for (const graphqlModule of found) guardEntities(graphqlModule, this.creator, this.config);
  }

  /**
   * Mercurius is registered now, and the application does not listen yet.
   * @throws MercuriusContextError without Mercurius; MissingPeerError for `limits.cost` without its package
   */
  async onApplicationBootstrap(): Promise<void> {
    const { graphql } = this.host.httpAdapter.getInstance<{ readonly graphql?: Mercurius }>();
    if (graphql === undefined) throw new MercuriusContextError();
    const check = new LimitCheck(this.limits);
    await check.load();
    limitOperations(graphql, check);
    this.counts.count(graphql);
  }
}
