import { checkAsyncOptions } from '@fledge-internal/nest-modules';
import { isObject, readValues } from '@fledge-internal/options';
import { Container } from '@fledge/core';
import { runMiddlewareLast } from '@fledge/core/packages';
import {
  All,
  ConfigurableModuleBuilder,
  Controller,
  type DynamicModule,
  Inject,
  Logger,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Next,
  type OnApplicationBootstrap,
  type Provider,
  Req,
  RequestMethod,
  Res,
  type Type,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { ServerResponse } from 'node:http';
import type {
  GraphqlMountAsyncOptions,
  GraphqlMountOptions,
  GraphqlMountStatics,
  GraphQlPluginOptions,
  WithSchema,
} from '../graphql.options.js';
import { DEFAULT_NAME, MOUNT_STATICS, placeOf } from '../graphql.defaults.js';
import { GraphqlOperationsModule } from '../live/graphql-operations.module.js';
import { GraphqlSubscriptionsAdapter } from '../live/graphql-subscriptions.adapter.js';
import { SocketServer } from '../sockets/socket-server.js';
import { getGraphqlAdapterToken, GraphqlAdapter } from './graphql-adapter.js';
import { GraphqlEndpoint, MOUNT } from './graphql-endpoint.js';
import { GraphqlEndpoints, GraphqlHostModule, missingOptions } from './graphql-host.module.js';
import { MountWarnings } from './mount-warnings.js';
import type { FastifyReply } from './parser-errors.js';
import type { BodyRequest } from '../http/read-request.js';
import { type Mount, resolveMount } from './resolve-mount.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<
  GraphQlPluginOptions | WithSchema<GraphqlMountOptions>
>()
  .setClassMethodName('forRoot')
  .setExtras<Required<GraphqlMountStatics>>(
    { name: DEFAULT_NAME, mountAs: 'middleware' },
    (definition, statics) => mountModule(definition, statics),
  )
  .build();

/**
 * Serves a GraphQL schema over HTTP, and its subscriptions over WebSocket. Resolvers get
 * `{ ctx, container }`. Import it once for each endpoint.
 *
 * @example
 * ```ts
 * @Module({
 *   imports: [
 *     GraphqlMountModule.forRoot({
 *       typeDefs: 'type Query { hello: String }',
 *       rootValue: { hello: () => 'world' },
 *     }),
 *   ],
 * })
 * export class AppModule {}
 * ```
 */
// Not global, because middleware of a global module runs before the application's middleware.
@Module({
  imports: [GraphqlHostModule, GraphqlOperationsModule],
  providers: [missingOptions(MOUNT, 'GraphqlMountModule')],
})
export class GraphqlMountModule
  extends ConfigurableModuleClass
  implements NestModule, OnApplicationBootstrap
{
  constructor(
    @Inject(MOUNT) private readonly mount: Mount,
    private readonly endpoint: GraphqlEndpoint,
    private readonly warnings: MountWarnings,
    private readonly modules: ModulesContainer,
  ) {
    super();
  }

  /** @throws GraphqlOptionError, GraphqlSchemaError when the application is created */
  static override forRoot(
    options: GraphQlPluginOptions | WithSchema<GraphqlMountOptions>,
  ): DynamicModule {
    // JavaScript applications may pass anything. Nest would copy the characters of a string.
    if (!isObject(options)) {
      const place = placeOf('GraphqlMountModule.forRoot');
      throw place.wrong(options, 'an object with `typeDefs` or `schema`');
    }
    const { subscriptions, runtime }: GraphqlMountOptions = options;
    const definition = super.forRoot(options);
    return subscriptions || runtime?.streams ? withSubscriptions(definition) : definition;
  }

  /**
   * Takes the options from providers. Set `name` and `mountAs` next to the factory. The factory
   * must not return them.
   */
  static override forRootAsync(options: GraphqlMountAsyncOptions): DynamicModule {
    const place = placeOf('GraphqlMountModule.forRootAsync');
    checkAsyncOptions(options, place, Object.keys(MOUNT_STATICS));
    readValues(options, MOUNT_STATICS, place);
    // The factory runs later and may return `subscriptions`.
    return withSubscriptions(super.forRootAsync(options));
  }

  async configure(consumer: MiddlewareConsumer): Promise<void> {
    await this.endpoint.open();
    const { mountAs, path } = this.mount;
    if (mountAs === 'route') return;
    runMiddlewareLast(this.modules, this.constructor as Type);
    consumer
      .apply(this.endpoint.serve.bind(this.endpoint))
      .forRoutes({ path, method: RequestMethod.ALL, version: VERSION_NEUTRAL });
  }

  /** At this point, all modules have built their schemas. An invalid schema stops the startup. */
  async onApplicationBootstrap(): Promise<void> {
    const { name, mountAs, socketPath, limits, schema, documents } = this.mount;
    schema();
    await documents.load(name);
    if (mountAs === 'route' && socketPath && !limits.onConnect) {
      new Logger('GraphqlMountModule').warn(
        `${name}: Nest's guards run for HTTP requests, but not for sockets. Check subscribers in ` +
          `subscriptions: { onConnect }, or in a context decorator that throws.`,
      );
    }
    await this.endpoint.openSockets();
    if (mountAs === 'route') return;
    const { url } = this.endpoint;
    this.warnings.skippedHooks(this.mount);
    this.warnings.skippedGuards(this.mount, url);
    this.warnings.takenPath(name, url);
  }
}

function withSubscriptions(definition: DynamicModule): DynamicModule {
  const provider = { provide: GraphqlSubscriptionsAdapter, useExisting: SocketServer };
  return {
    ...definition,
    providers: [...(definition.providers ?? []), provider],
    exports: [
      ...((definition.exports as Provider[] | undefined) ?? []),
      GraphqlSubscriptionsAdapter,
    ],
  };
}

function mountModule(
  definition: DynamicModule,
  statics: Required<GraphqlMountStatics>,
): DynamicModule {
  // Each mount needs its own class, because Nest would merge equal dynamic modules of the same
  // class.
  class NamedMountModule extends GraphqlMountModule {}
  Object.defineProperty(NamedMountModule, 'name', { value: `${statics.name}Module` });
  const route = statics.mountAs === 'route' ? graphqlRoute() : undefined;
  const token = getGraphqlAdapterToken(statics.name);
  return {
    ...definition,
    module: NamedMountModule,
    controllers: route ? [route] : [],
    providers: [
      ...(definition.providers ?? []),
      {
        provide: MOUNT,
        useFactory: (options: GraphqlMountOptions, container: Container) => {
          const mount = resolveMount(statics, options, container);
          // Nest reads the path only after this factory.
          if (route) Controller({ path: mount.path, version: VERSION_NEUTRAL })(route);
          return mount;
        },
        inject: [MODULE_OPTIONS_TOKEN, Container],
      },
      GraphqlEndpoint,
      SocketServer,
      MountWarnings,
      ADAPTER,
      { provide: token, useExisting: GraphqlAdapter },
    ],
    exports: [GraphqlAdapter, token, GraphqlOperationsModule],
  };
}

const ADAPTER: Provider = {
  provide: GraphqlAdapter,
  useFactory: (mount: Mount, { numbers }: SocketServer, endpoints: GraphqlEndpoints) => {
    const { name, path, counts, runtime, servesSubscriptions } = mount;
    const subscriptions = () => {
      const { activeSubscriptions: active, subscriptions: started } = numbers.snapshot();
      return { active, started };
    };
    return endpoints.register(name, path, counts, {
      runtime: runtime.library,
      served: mount,
      subscriptions: servesSubscriptions ? subscriptions : undefined,
    });
  },
  inject: [MOUNT, SocketServer, GraphqlEndpoints],
};

// Each path needs its own class.
function graphqlRoute(): Type {
  @Controller()
  class GraphqlRoute {
    constructor(@Inject(GraphqlEndpoint) private readonly endpoint: GraphqlEndpoint) {}

    @All()
    serve(
      @Req() req: BodyRequest,
      @Res() res: ServerResponse | FastifyReply,
      @Next() next: (error?: unknown) => void,
    ): Promise<void> {
      return this.endpoint.serveRoute(req, res, next);
    }
  }
  return GraphqlRoute;
}
