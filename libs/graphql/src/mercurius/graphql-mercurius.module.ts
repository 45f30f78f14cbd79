import { type DynamicModule, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DEFAULT_NAME, DEFAULT_PATH } from '../graphql.defaults.js';
import { MercuriusContextError } from '../graphql.errors.js';
import type { GraphqlMercuriusOptions } from '../graphql.options.js';
import { MERCURIUS_OPTIONS, refuseUnknownGraphqlOptions } from '../known-options.js';
import { getGraphqlAdapterToken, GraphqlAdapter } from '../mount/graphql-adapter.js';
import { GraphqlEndpoints, GraphqlHostModule } from '../mount/graphql-host.module.js';
import { pathOf } from '../mount/resolve-mount.js';
import { OperationCounts } from '../operation/operation-counts.js';
import { MercuriusContextFactory } from './mercurius-context-factory.js';
import { type Mercurius, MercuriusCounts } from './mercurius-counts.js';

/**
 * Adds the request context, the container and operation counts to `GraphQLModule` of `@nestjs/graphql` with
 * `MercuriusDriver`. Global, so that `GraphQLModule.forRootAsync({ inject: [MercuriusContextFactory] })` works.
 */
@Module({ imports: [GraphqlHostModule] })
export class GraphqlMercuriusModule implements OnApplicationBootstrap {
  constructor(
    private readonly counts: MercuriusCounts,
    private readonly host: HttpAdapterHost,
  ) {}

  /** @throws GraphqlOptionError for an unknown option */
  static forRoot(options: GraphqlMercuriusOptions = {}): DynamicModule {
    refuseUnknownGraphqlOptions(options, MERCURIUS_OPTIONS, 'GraphqlMercuriusModule.forRoot');
    const { name = DEFAULT_NAME, path } = options;
    const token = getGraphqlAdapterToken(name);
    return {
      module: GraphqlMercuriusModule,
      global: true,
      providers: [
        OperationCounts,
        MercuriusCounts,
        MercuriusContextFactory,
        {
          provide: GraphqlAdapter,
          useFactory: (counts: OperationCounts, endpoints: GraphqlEndpoints) =>
            endpoints.register(name, pathOf('path', path ?? DEFAULT_PATH), counts, {
              runtime: 'mercurius',
            }),
          inject: [OperationCounts, GraphqlEndpoints],
        },
        { provide: token, useExisting: GraphqlAdapter },
      ],
      // GraphqlSubscriptionsModule.forMercurius() adds to these counts, so they cover both transports.
      exports: [MercuriusContextFactory, GraphqlAdapter, token, OperationCounts],
    };
  }

  /**
   * Mercurius is registered now, and the application does not listen yet.
   * @throws MercuriusContextError without Mercurius
   */
  onApplicationBootstrap(): void {
    const { graphql } = this.host.httpAdapter.getInstance<{ readonly graphql?: Mercurius }>();
    if (graphql === undefined) throw new MercuriusContextError();
    this.counts.count(graphql);
  }
}
