import { readOptions } from '@fledge-internal/options';
import {
  type DynamicModule,
  type HttpServer,
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
import type { Server } from 'node:http';
import { serveExplorer } from '../explorer/serve-explorer.js';
import { ApolloContextError } from '../graphql.errors.js';
import type { GraphqlApolloOptions } from '../graphql.options.js';
import { guardEntities } from '../federation-entities.js';
import {
  GraphqlHostModule,
  missingOptions,
  nestEndpoint,
  reportUnknownPath,
} from '../mount/graphql-host.module.js';
import {
  completeOptionsOf,
  NEST_OPTIONS,
  type NestGraphqlModule,
  nestGraphqlModules,
  type NestSocketOptions,
  nestSocketPath,
  requireContext,
} from '../nest-graphql-modules.js';
import { APOLLO, placeOf, type ReadNestOptions } from '../graphql.defaults.js';
import { UpgradeRouter } from '../sockets/upgrade-router.js';
import { watchOperations } from './apollo-operations.js';
import { hideDetails } from './format-apollo-error.js';
import { GraphqlContextFactory } from './graphql-context-factory.js';

/**
 * Adds the request context, the container and introspection to `GraphQLModule` of `@nestjs/graphql`
 * with Apollo. This module is global, so that `GraphQLModule.forRootAsync({ inject:
 * [GraphqlContextFactory] })` works.
 */
@Module({
  imports: [GraphqlHostModule],
  providers: [missingOptions(NEST_OPTIONS, 'GraphqlApolloModule')],
})
export class GraphqlApolloModule implements NestModule, OnApplicationBootstrap {
  constructor(
    private readonly modules: ModulesContainer,
    @Inject(NEST_OPTIONS)
    private readonly options: ReadNestOptions &
      Pick<Required<GraphqlApolloOptions>, 'explorer' | 'path'>,
    private readonly host: HttpAdapterHost,
    private readonly creator: ExternalContextCreator,
    private readonly config: ApplicationConfig,
  ) {}

  /** @throws GraphqlOptionError for an unknown option or an invalid value */
  static forRoot(options: GraphqlApolloOptions = {}): DynamicModule {
    const read = readOptions(options, APOLLO, placeOf('GraphqlApolloModule.forRoot'));
    const { providers, exports } = nestEndpoint(read, '@apollo/server');
    return {
      module: GraphqlApolloModule,
      global: true,
      providers: [...providers, GraphqlContextFactory],
      exports: [...exports, GraphqlContextFactory],
    };
  }

  /**
   * Nest calls this before it initializes modules. GraphQLModule starts Apollo when it is
   * initialized.
   */
  async configure(): Promise<void> {
    const found = await nestGraphqlModules(this.modules, 'GraphqlApolloModule');
    for (const graphqlModule of found) {
      requireContext(graphqlModule, () => new ApolloContextError());
      hideDetails(graphqlModule);
      guardEntities(graphqlModule, this.creator, this.config);
      watchOperations(graphqlModule, this.options);
      if (this.options.explorer) exploreApollo(graphqlModule, this.host.httpAdapter);
    }
  }

  onApplicationBootstrap(): void {
    reportUnknownPath(this.options, this.modules, this.config);
  }
}

/**
 * Serves the explorer at the path of a `GraphQLModule`. Nest's GraphiQL is not used, because
 * GraphiQL loads its script from another server. Call this function before modules are initialized,
 * so that the explorer runs before Apollo.
 */
function exploreApollo({ module }: NestGraphqlModule, adapter: HttpServer): void {
  // The module sets its options when it is initialized.
  const options = () => completeOptionsOf(module);
  serveExplorer(adapter, {
    path: () => options()?.path,
    socketPath: () => socketPathOf(options(), adapter.getHttpServer() as Server),
  });
}

/**
 * Returns the path of `GraphqlSubscriptionsModule.forApollo()`, or else the path of the sockets of
 * the module itself.
 */
function socketPathOf(options: NestSocketOptions | undefined, server: Server): string | undefined {
  if (options === undefined || UpgradeRouter.serves(server, options.path)) return options?.path;
  return nestSocketPath(options);
}
