import { configurableModule } from '@fledge-internal/nest-modules';
import { readOptions } from '@fledge-internal/options';
import { Container, ContextModule } from '@fledge/core';
import { RequestGate } from '@fledge/core/packages';
import {
  type DynamicModule,
  Inject,
  Module,
  type NestModule,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { GraphqlContexts } from '../context/graphql-context.js';
import type {
  ApolloSubscriptionsOptions,
  GraphqlSubscriptionsOptions,
} from '../live/subscription.options.js';
import { NEST_OPTIONS } from '../nest-graphql-modules.js';
import { APOLLO_SUBSCRIPTIONS, placeOf, type ReadNestOptions } from '../graphql.defaults.js';
import { OperationCounts } from '../operation/operation-telemetry.js';
import { Admission } from '../live/admission.js';
import { GraphqlOperations } from '../live/graphql-operations.js';
import { GraphqlOperationsModule } from '../live/graphql-operations.module.js';
import { GraphqlSubscriptionsAdapter } from '../live/graphql-subscriptions.adapter.js';
import { stopAfterGuards } from '../live/subscription-guards.js';
import { SocketServer } from './socket-server.js';
import {
  type NestCall,
  nestGraphqlSource,
  ownSource,
  SUBSCRIPTION_SOURCE,
  type SubscriptionSource,
} from './subscription-source.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  configurableModule<GraphqlSubscriptionsOptions>('GraphqlSubscriptionsModule', placeOf);

/**
 * Serves the subscriptions of a schema over WebSocket, on the application's HTTP server.
 *
 * @example
 * ```ts
 * @Module({ imports: [GraphqlSubscriptionsModule.forRoot({ schema })] })
 * export class AppModule {}
 * ```
 */
@Module({
  imports: [ContextModule, GraphqlOperationsModule],
  providers: [
    {
      provide: SUBSCRIPTION_SOURCE,
      useFactory: ownSource,
      inject: [{ token: MODULE_OPTIONS_TOKEN, optional: true }, ApplicationConfig, RequestGate],
    },
    Container,
    GraphqlContexts,
    SocketServer,
    { provide: GraphqlSubscriptionsAdapter, useExisting: SocketServer },
  ],
  exports: [GraphqlSubscriptionsAdapter, GraphqlOperationsModule],
})
export class GraphqlSubscriptionsModule
  extends ConfigurableModuleClass
  implements NestModule, OnApplicationBootstrap
{
  constructor(
    @Inject(SUBSCRIPTION_SOURCE) private readonly source: SubscriptionSource,
    private readonly sockets: SocketServer,
    private readonly contexts: GraphqlContexts,
    private readonly operations: GraphqlOperations,
  ) {
    super();
    sockets.show();
  }

  /** Nest calls this before it initializes modules. */
  async configure(): Promise<void> {
    await this.source.prepare?.();
  }

  async onApplicationBootstrap(): Promise<void> {
    const { contexts, operations, sockets } = this;
    await sockets.start(async () => {
      const source = await this.source.load();
      await source.documents.load('GraphqlSubscriptionsModule');
      const admission = new Admission(source.limits, contexts, operations, sockets.numbers);
      return { ...source, admission };
    });
  }

  /**
   * Serves the subscriptions of `GraphQLModule` of `@nestjs/graphql`, at the path of that module.
   * The guards of that module run, and its options `introspection`, `validationRules` and
   * `formatError` apply. Do not set its option `subscriptions`.
   *
   * @example
   * ```ts
   * imports: [
   *   GraphQLModule.forRoot<ApolloDriverConfig>({ driver: ApolloDriver, autoSchemaFile: true }),
   *   GraphqlSubscriptionsModule.forApollo(),
   * ]
   * ```
   */
  static forApollo(options: ApolloSubscriptionsOptions = {}): DynamicModule {
    return nestSubscriptions('forApollo', options);
  }

  /**
   * Serves the subscriptions of `GraphQLModule` with `MercuriusDriver`, as `forApollo()` does for
   * Apollo. Do not set the option `subscription` of that module.
   */
  static forMercurius(options: ApolloSubscriptionsOptions = {}): DynamicModule {
    return nestSubscriptions('forMercurius', options);
  }
}

/** @param call the function that the application calls. Errors name it */
function nestSubscriptions(call: NestCall, options: ApolloSubscriptionsOptions): DynamicModule {
  readOptions(options, APOLLO_SUBSCRIPTIONS, placeOf(`GraphqlSubscriptionsModule.${call}`));
  return {
    module: GraphqlSubscriptionsModule,
    providers: [
      {
        provide: SUBSCRIPTION_SOURCE,
        useFactory: (
          modules: ModulesContainer,
          config: ApplicationConfig,
          counts: OperationCounts = new OperationCounts(),
          nest: ReadNestOptions | undefined,
        ) => {
          if (options.guardEvents || options.revalidate) stopAfterGuards(config);
          const given = { ...options, limits: { ...nest?.limits, ...options.limits } };
          return nestGraphqlSource(call, given, { modules, config, counts });
        },
        // The counts and limits of GraphqlApolloModule or GraphqlMercuriusModule, if the
        // application imports one of these.
        inject: [
          ModulesContainer,
          ApplicationConfig,
          { token: OperationCounts, optional: true },
          { token: NEST_OPTIONS, optional: true },
        ],
      },
    ],
  };
}
