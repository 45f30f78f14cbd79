import { readOptions } from '@fledge-internal/options';
import { Container } from '@fledge/core';
import {
  ConfigurableModuleBuilder,
  type DynamicModule,
  Inject,
  Logger,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnApplicationBootstrap,
  type Provider,
  RequestMethod,
} from '@nestjs/common';
import { DEFAULT_NAME } from '../graphql.defaults.js';
import { GraphqlOptionError } from '../graphql.errors.js';
import type {
  GraphqlMountAsyncOptions,
  GraphqlMountOptions,
  GraphqlMountStatics,
  GraphQlPluginOptions,
  WithSchema,
} from '../graphql.options.js';
import { MOUNT_ASYNC, placeOf } from '../option-tables.js';
import { GraphqlOperationsModule } from '../live/graphql-operations.module.js';
import { GraphqlSubscriptionsAdapter } from '../live/graphql-subscriptions.adapter.js';
import { SocketServer } from '../sockets/socket-server.js';
import { getGraphqlAdapterToken, GraphqlAdapter } from './graphql-adapter.js';
import { GraphqlEndpoint, MOUNT } from './graphql-endpoint.js';
import { GraphqlEndpoints, GraphqlHostModule } from './graphql-host.module.js';
import { graphqlRoute, setRoutePath } from './graphql-route.js';
import { type Mount, resolveMount } from './resolve-mount.js';
import { SkippedHooks } from './skipped-hooks.js';
import { TakenPaths } from './taken-paths.js';

/** Injects the options that stand beside a factory. */
const STATICS = Symbol('fledge:graphql-mount-statics');

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
// Not global: middleware of a global module runs before the application's middleware.
@Module({ imports: [GraphqlHostModule, GraphqlOperationsModule] })
export class GraphqlMountModule
  extends ConfigurableModuleClass
  implements NestModule, OnApplicationBootstrap
{
  constructor(
    @Inject(MOUNT) private readonly mount: Mount,
    @Inject(STATICS) private readonly statics: Required<GraphqlMountStatics>,
    private readonly endpoint: GraphqlEndpoint,
    private readonly skippedHooks: SkippedHooks,
    private readonly takenPaths: TakenPaths,
  ) {
    super();
  }

  /** @throws GraphqlOptionError, GraphqlSchemaError when the application is created */
  static override forRoot(
    options: GraphQlPluginOptions | WithSchema<GraphqlMountOptions>,
  ): DynamicModule {
    // JavaScript applications may pass nothing. `resolveMount` refuses that with a clear error.
    const { subscriptions, runtime }: GraphqlMountOptions = options ?? {};
    const definition = super.forRoot(options ?? {});
    return subscriptions || runtime?.streams ? withSubscriptions(definition) : definition;
  }

  /** Takes the options from providers. `name` and `mountAs` stand beside the factory. */
  static override forRootAsync(options: GraphqlMountAsyncOptions): DynamicModule {
    readOptions(options, MOUNT_ASYNC, placeOf('GraphqlMountModule.forRootAsync'));
    // The factory has not run, so it may still return `subscriptions`.
    return withSubscriptions(super.forRootAsync(options));
  }

  async configure(consumer: MiddlewareConsumer): Promise<void> {
    await this.endpoint.open();
    if (this.statics.mountAs === 'route') return;
    consumer
      .apply(this.endpoint.serve.bind(this.endpoint))
      .forRoutes({ path: this.mount.path, method: RequestMethod.ALL });
  }

  /** Other modules have built their schemas now, so an invalid schema stops the boot. */
  async onApplicationBootstrap(): Promise<void> {
    const { name, direct, socketPath, limits, schema, documents } = this.mount;
    schema();
    await documents.load(name, schema);
    if (this.statics.mountAs === 'route' && socketPath && !limits.onConnect) {
      new Logger('GraphqlMountModule').warn(
        `${name}: Nest's guards run for HTTP requests, but not for sockets. Check subscribers in ` +
          `subscriptions: { onConnect }, or in a context decorator that throws.`,
      );
    }
    await this.endpoint.openSockets();
    if (this.statics.mountAs === 'middleware') {
      if (!direct) this.skippedHooks.warn(name);
      this.takenPaths.warn(name, this.endpoint.url);
    }
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
  // One class for each mount: Nest would merge dynamic modules of one class that look equal.
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
      { provide: STATICS, useValue: statics },
      {
        provide: MOUNT,
        useFactory: (options: GraphqlMountOptions, container: Container) => {
          const mount = resolveMount(statics.name, options, container);
          refuseOtherMountAs(options, statics);
          refuseDirectRoute(mount, statics);
          if (route) setRoutePath(route, mount.path);
          return mount;
        },
        inject: [MODULE_OPTIONS_TOKEN, Container],
      },
      GraphqlEndpoint,
      SocketServer,
      SkippedHooks,
      TakenPaths,
      ADAPTER,
      { provide: token, useExisting: GraphqlAdapter },
    ],
    exports: [GraphqlAdapter, token, GraphqlOperationsModule],
  };
}

const ADAPTER: Provider = {
  provide: GraphqlAdapter,
  useFactory: (mount: Mount, { numbers }: SocketServer, endpoints: GraphqlEndpoints) => {
    const { name, path, counts, runtime, socketPath } = mount;
    const serves = socketPath !== undefined || runtime.streams === true;
    return endpoints.register(name, path, counts, {
      runtime: runtime.library,
      served: mount,
      subscriptions: serves ? () => subscriptionsIn(numbers.snapshot()) : undefined,
    });
  },
  inject: [MOUNT, SocketServer, GraphqlEndpoints],
};

function subscriptionsIn(counts: ReturnType<SocketServer['numbers']['snapshot']>) {
  return { active: counts.activeSubscriptions, started: counts.subscriptions };
}

/** The guards of a route would not run for requests that come directly. */
function refuseDirectRoute({ name, direct }: Mount, { mountAs }: GraphqlMountStatics): void {
  if (!direct || mountAs !== 'route') return;
  throw new GraphqlOptionError(
    `${name} has direct: true and mountAs: 'route'. The guards of a route do not run for requests that come ahead of ` +
      'the platform. Leave out one of them in GraphqlMountModule.forRoot().',
  );
}

/** Refuses a `mountAs` from a factory: ignoring 'route' would leave out the application's guards. */
function refuseOtherMountAs({ mountAs }: GraphqlMountOptions, statics: GraphqlMountStatics): void {
  const given: unknown = mountAs ?? statics.mountAs;
  if (given !== 'middleware' && given !== 'route') {
    throw new GraphqlOptionError(
      `GraphqlMountModule.forRoot({ mountAs }) is ${JSON.stringify(given)}, but must be 'middleware' or 'route'.`,
    );
  }
  if (given === statics.mountAs) return;
  throw new GraphqlOptionError(
    `The factory of GraphqlMountModule.forRootAsync() returns mountAs: '${given}', but mountAs is read ` +
      `before factories run. Set it beside the factory: forRootAsync({ mountAs: '${given}', useFactory }).`,
  );
}
