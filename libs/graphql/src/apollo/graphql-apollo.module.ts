import { IntrospectionRegistry } from '@fledge/core';
import { type DynamicModule, Module, type NestModule } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DEFAULT_NAME, getGraphqlAdapterToken, GraphqlAdapter } from '../mount/graphql-adapter.js';
import { GraphqlEndpoints, GraphqlHostModule } from '../mount/graphql-host.module.js';
import { pathOf } from '../mount/mount.options.js';
import { OperationCounts } from '../operation/operation-counts.js';
import { nestGraphqlModules } from '../subscriptions/nest-graphql-modules.js';
import { GraphqlContextFactory } from './graphql-context.factory.js';
import { turnStacktracesOff } from './stacktraces-off.js';

/** Options of `GraphqlApolloModule.forRoot()`. */
export interface GraphqlApolloOptions {
  /** Names the endpoint in introspection, and its provider: `getGraphqlAdapterToken(name)`. @default 'GraphqlAdapter' */
  readonly name?: string;
  /** The path of `GraphQLModule`, told by the snapshot. @default '/graphql' */
  readonly path?: string;
}

/**
 * Gives `GraphQLModule` of `@nestjs/graphql`, with Apollo, the context and the snapshot of a mount.
 * Global, so that `GraphQLModule.forRootAsync({ inject: [GraphqlContextFactory] })` finds its factory.
 */
@Module({ imports: [GraphqlHostModule] })
export class GraphqlApolloModule implements NestModule {
  constructor(private readonly modules: ModulesContainer) {}

  static forRoot({ name = DEFAULT_NAME, path }: GraphqlApolloOptions = {}): DynamicModule {
    const token = getGraphqlAdapterToken(name);
    return {
      module: GraphqlApolloModule,
      global: true,
      providers: [
        OperationCounts,
        GraphqlContextFactory,
        {
          provide: GraphqlAdapter,
          useFactory: (
            counts: OperationCounts,
            endpoints: GraphqlEndpoints,
            introspection: IntrospectionRegistry,
          ) => {
            const adapter = new GraphqlAdapter(name, pathOf('path', path ?? '/graphql'), counts);
            endpoints.add(adapter);
            introspection.register(adapter);
            return adapter;
          },
          inject: [OperationCounts, GraphqlEndpoints, IntrospectionRegistry],
        },
        { provide: token, useExisting: GraphqlAdapter },
      ],
      // The counts for GraphqlSubscriptionsModule.forApollo(): one number for both transports.
      exports: [GraphqlContextFactory, GraphqlAdapter, token, OperationCounts],
    };
  }

  /** Nest calls it before modules are initialized, so before GraphQLModule starts Apollo. */
  async configure(): Promise<void> {
    const found = await nestGraphqlModules(this.modules, 'GraphqlApolloModule');
    found.forEach(turnStacktracesOff);
  }
}
