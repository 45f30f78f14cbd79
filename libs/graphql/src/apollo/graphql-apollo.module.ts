import { type DynamicModule, Inject, Module, type NestModule } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DEFAULT_NAME, DEFAULT_PATH } from '../graphql.defaults.js';
import type { GraphqlApolloOptions } from '../graphql.options.js';
import { APOLLO_OPTIONS, refuseUnknownGraphqlOptions } from '../known-options.js';
import { getGraphqlAdapterToken, GraphqlAdapter } from '../mount/graphql-adapter.js';
import { GraphqlEndpoints, GraphqlHostModule } from '../mount/graphql-host.module.js';
import { pathOf } from '../mount/resolve-mount.js';
import { OperationCounts } from '../operation/operation-counts.js';
import { nestGraphqlModules } from '../subscriptions/nest-graphql-modules.js';
import { GraphqlContextFactory } from './graphql-context-factory.js';
import { turnStacktracesOff } from './stacktraces-off.js';
import { traceOperations } from './trace-operations.js';

const TRACES_DOCUMENT = Symbol('fledge:TracesDocument');

/**
 * Adds the request context, the container and introspection to `GraphQLModule` of `@nestjs/graphql` with
 * Apollo. Global, so that `GraphQLModule.forRootAsync({ inject: [GraphqlContextFactory] })` works.
 */
@Module({ imports: [GraphqlHostModule] })
export class GraphqlApolloModule implements NestModule {
  constructor(
    private readonly modules: ModulesContainer,
    @Inject(TRACES_DOCUMENT) private readonly tracesDocument: boolean,
  ) {}

  /** @throws GraphqlOptionError for an unknown option */
  static forRoot(options: GraphqlApolloOptions = {}): DynamicModule {
    refuseUnknownGraphqlOptions(options, APOLLO_OPTIONS, 'GraphqlApolloModule.forRoot');
    const { name = DEFAULT_NAME, path, traceDocument = false } = options;
    const token = getGraphqlAdapterToken(name);
    return {
      module: GraphqlApolloModule,
      global: true,
      providers: [
        OperationCounts,
        GraphqlContextFactory,
        { provide: TRACES_DOCUMENT, useValue: traceDocument },
        {
          provide: GraphqlAdapter,
          useFactory: (counts: OperationCounts, endpoints: GraphqlEndpoints) =>
            endpoints.register(name, pathOf('path', path ?? DEFAULT_PATH), counts, {
              runtime: '@apollo/server',
            }),
          inject: [OperationCounts, GraphqlEndpoints],
        },
        { provide: token, useExisting: GraphqlAdapter },
      ],
      // GraphqlSubscriptionsModule.forApollo() adds to these counts, so they cover both transports.
      exports: [GraphqlContextFactory, GraphqlAdapter, token, OperationCounts],
    };
  }

  /** Nest calls this before it initializes modules, so before GraphQLModule starts Apollo. */
  async configure(): Promise<void> {
    const found = await nestGraphqlModules(this.modules, 'GraphqlApolloModule');
    for (const graphqlModule of found) {
      turnStacktracesOff(graphqlModule);
      traceOperations(graphqlModule, this.tracesDocument);
    }
  }
}
