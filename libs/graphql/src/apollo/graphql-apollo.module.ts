import { readOptions } from '@fledge-internal/options';
import { type DynamicModule, Inject, Module, type NestModule } from '@nestjs/common';
import {
  ApplicationConfig,
  ExternalContextCreator,
  HttpAdapterHost,
  ModulesContainer,
} from '@nestjs/core';
import type { GraphqlApolloOptions } from '../graphql.options.js';
import { NEST_LIMITS } from '../limits/limit-check.js';
import { GraphqlHostModule } from '../mount/graphql-host.module.js';
import { guardEntities } from '../mount/guard-entities.js';
import { nestEndpoint } from '../mount/nest-endpoint.js';
import { APOLLO, placeOf, type ResolvedOperationLimits } from '../option-tables.js';
import { nestGraphqlModules } from '../nest-graphql-modules.js';
import { exploreApollo } from './explore-apollo.js';
import { GraphqlContextFactory } from './graphql-context-factory.js';
import { limitOperations } from './limit-operations.js';
import { hideDetails } from './hidden-details.js';
import { traceOperations } from './trace-operations.js';

const TRACES_DOCUMENT = Symbol('fledge:TracesDocument');
const EXPLORER = Symbol('fledge:Explorer');

/**
 * Adds the request context, the container and introspection to `GraphQLModule` of `@nestjs/graphql` with
 * Apollo. Global, so that `GraphQLModule.forRootAsync({ inject: [GraphqlContextFactory] })` works.
 */
@Module({ imports: [GraphqlHostModule] })
export class GraphqlApolloModule implements NestModule {
  constructor(
    private readonly modules: ModulesContainer,
    @Inject(TRACES_DOCUMENT) private readonly tracesDocument: boolean,
    @Inject(EXPLORER) private readonly explorer: boolean,
    @Inject(NEST_LIMITS) private readonly limits: ResolvedOperationLimits,
    private readonly host: HttpAdapterHost,
    private readonly creator: ExternalContextCreator,
    private readonly config: ApplicationConfig,
  ) {}

  /** @throws GraphqlOptionError for an unknown option or an invalid value */
  static forRoot(options: GraphqlApolloOptions = {}): DynamicModule {
    const place = placeOf('GraphqlApolloModule.forRoot');
    const { traceDocument, explorer, ...endpoint } = readOptions(options, APOLLO, place);
    const { providers, exports } = nestEndpoint(endpoint, '@apollo/server');
    return {
      module: GraphqlApolloModule,
      global: true,
      providers: [
        ...providers,
        GraphqlContextFactory,
        { provide: TRACES_DOCUMENT, useValue: traceDocument },
        { provide: EXPLORER, useValue: explorer },
      ],
      exports: [...exports, GraphqlContextFactory],
    };
  }

  /** Nest calls this before it initializes modules, so before GraphQLModule starts Apollo. */
  async configure(): Promise<void> {
    const found = await nestGraphqlModules(this.modules, 'GraphqlApolloModule');
    for (const graphqlModule of found) {
      hideDetails(graphqlModule);
      limitOperations(graphqlModule, this.limits);
      guardEntities(graphqlModule, this.creator, this.config);
      traceOperations(graphqlModule, this.tracesDocument);
      if (this.explorer) exploreApollo(graphqlModule, this.host.httpAdapter);
    }
  }
}
