import { readOptions } from '@fledge-internal/options';
import {
  type DynamicModule,
  Inject,
  Module,
  type NestModule,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  type AbstractHttpAdapter,
  ApplicationConfig,
  ExternalContextCreator,
  HttpAdapterHost,
  ModulesContainer,
} from '@nestjs/core';
import { MercuriusContextError } from '../graphql.errors.js';
import type { GraphqlMercuriusOptions } from '../graphql.options.js';
import { guardEntities } from '../federation-entities.js';
import {
  GraphqlHostModule,
  missingOptions,
  nestEndpoint,
  reportUnknownPath,
} from '../mount/graphql-host.module.js';
import { NEST_OPTIONS, nestGraphqlModules, requireContext } from '../nest-graphql-modules.js';
import { MERCURIUS, placeOf } from '../graphql.defaults.js';
import { setIntrospection } from './format-mercurius-errors.js';
import { MercuriusContextFactory } from './mercurius-context-factory.js';
import { type MercuriusInstance, MercuriusOperations } from './mercurius-operations.js';

/**
 * Extends `GraphQLModule` of `@nestjs/graphql` with `MercuriusDriver`. Adds the request context and
 * the container, and applies counts, limits and spans to operations. This module is global, so that
 * `GraphQLModule.forRootAsync({ inject: [MercuriusContextFactory] })` works.
 */
@Module({
  imports: [GraphqlHostModule],
  providers: [missingOptions(NEST_OPTIONS, 'GraphqlMercuriusModule')],
})
export class GraphqlMercuriusModule implements NestModule, OnApplicationBootstrap {
  constructor(
    private readonly operations: MercuriusOperations,
    private readonly host: HttpAdapterHost,
    private readonly modules: ModulesContainer,
    private readonly creator: ExternalContextCreator,
    private readonly config: ApplicationConfig,
    @Inject(NEST_OPTIONS)
    private readonly options: Pick<Required<GraphqlMercuriusOptions>, 'introspection' | 'path'>,
  ) {}

  /** @throws GraphqlOptionError for an unknown option or an invalid value */
  static forRoot(options: GraphqlMercuriusOptions = {}): DynamicModule {
    const read = readOptions(options, MERCURIUS, placeOf('GraphqlMercuriusModule.forRoot'));
    const { providers, exports } = nestEndpoint(read, 'mercurius');
    return {
      module: GraphqlMercuriusModule,
      global: true,
      providers: [...providers, MercuriusOperations, MercuriusContextFactory],
      exports: [...exports, MercuriusContextFactory],
    };
  }

  /**
   * Nest calls this before it initializes modules. GraphQLModule builds its schema when it is
   * initialized.
   */
  async configure(): Promise<void> {
    const found = await nestGraphqlModules(this.modules, 'GraphqlMercuriusModule');
    for (const graphqlModule of found) {
      requireContext(graphqlModule, () => new MercuriusContextError());
      guardEntities(graphqlModule, this.creator, this.config);
      await setIntrospection(graphqlModule, this.options.introspection);
    }
  }

  /**
   * Runs when Mercurius is registered and the application does not listen yet.
   * @throws MercuriusContextError if Mercurius is missing
   * @throws MissingPeerError if `limits.cost` is set and the package for it is missing
   */
  async onApplicationBootstrap(): Promise<void> {
    // The type excludes null and undefined. But an application without HTTP has no adapter, and
    // `GraphQLModule` then does not register Mercurius.
    const adapter = this.host.httpAdapter as AbstractHttpAdapter | null | undefined;
    if (!adapter) return;
    const instance = adapter.getInstance<Partial<MercuriusInstance>>();
    if (instance.graphql === undefined) throw new MercuriusContextError();
    await this.operations.watch(instance as MercuriusInstance);
    reportUnknownPath(this.options, this.modules, this.config);
  }
}
