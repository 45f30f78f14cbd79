import { Container, IntrospectionRegistry } from '@fledge/core';
import {
  type ConfigurableModuleAsyncOptions,
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
import { GraphqlOptionError } from '../graphql.errors.js';
import { GraphqlSubscriptionsAdapter } from '../subscriptions/graphql-subscriptions.adapter.js';
import type { GraphQlPluginOptions, GraphqlMountOptions } from '../graphql.options.js';
import { DEFAULT_NAME, getGraphqlAdapterToken, GraphqlAdapter } from './graphql-adapter.js';
import { GraphqlEndpoint, MOUNT } from './graphql-endpoint.js';
import { GraphqlEndpoints, GraphqlHostModule } from './graphql-host.module.js';
import { graphqlRoute, placeRoute } from './graphql-route.js';
import { type Mount, resolveMount } from './mount.options.js';
import { MountSubscriptions } from './mount-subscriptions.js';

/** Options with a schema: one of the two is required. */
type WithSchema<Options> =
  | (Options & { readonly typeDefs: string })
  | (Options & { readonly schema: NonNullable<GraphqlMountOptions['schema']> });

/** What a factory cannot supply, because providers and routes depend on it. */
type GraphqlMountPlace = Pick<GraphqlMountOptions, 'name' | 'mountAs'>;

/** Options of `GraphqlMountModule.forRootAsync()`. */
export type GraphqlMountAsyncOptions = ConfigurableModuleAsyncOptions<
  GraphQlPluginOptions | WithSchema<Omit<GraphqlMountOptions, keyof GraphqlMountPlace>>
> &
  GraphqlMountPlace;

const PLACE = Symbol('fledge:graphql-place');

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<
  GraphQlPluginOptions | WithSchema<GraphqlMountOptions>
>()
  .setClassMethodName('forRoot')
  .setExtras<Required<GraphqlMountPlace>>(
    { name: DEFAULT_NAME, mountAs: 'middleware' },
    (definition, place) => placed(definition, place),
  )
  .build();

/**
 * Serves a GraphQL schema over HTTP, and its subscriptions over WebSocket, with `{ ctx, container }`
 * in every resolver. Import it once for each endpoint.
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
// Not global: middleware of a global module would run before the application's own.
@Module({ imports: [GraphqlHostModule] })
export class GraphqlMountModule
  extends ConfigurableModuleClass
  implements NestModule, OnApplicationBootstrap
{
  constructor(
    @Inject(MOUNT) private readonly mount: Mount,
    @Inject(PLACE) private readonly place: Required<GraphqlMountPlace>,
    private readonly endpoint: GraphqlEndpoint,
    private readonly subscriptions: MountSubscriptions,
  ) {
    super();
  }

  /** @throws GraphqlOptionError, GraphqlSchemaError when the application is created */
  static override forRoot(
    options: GraphQlPluginOptions | WithSchema<GraphqlMountOptions>,
  ): DynamicModule {
    // Applications in JavaScript may give nothing, which is told where options are resolved.
    const { subscriptions, runtime }: GraphqlMountOptions = options ?? {};
    const definition = super.forRoot(options ?? {});
    return subscriptions || runtime?.streams ? withSubscriptions(definition) : definition;
  }

  /** The same, with options from providers; `name` and `mountAs` stand beside the factory. */
  static override forRootAsync(options: GraphqlMountAsyncOptions): DynamicModule {
    // What the factory will say of subscriptions is not known yet.
    return withSubscriptions(super.forRootAsync(options));
  }

  async configure(consumer: MiddlewareConsumer): Promise<void> {
    await this.endpoint.open();
    if (this.place.mountAs === 'route') return;
    consumer
      .apply(this.endpoint.serve.bind(this.endpoint))
      .forRoutes({ path: this.mount.path, method: RequestMethod.ALL });
  }

  /** A schema that another module builds is there now: what is wrong with it stops the boot. */
  async onApplicationBootstrap(): Promise<void> {
    this.mount.schema();
    const { name, subscriptions } = this.mount;
    if (this.place.mountAs === 'route' && subscriptions && !subscriptions.onConnect) {
      new Logger('GraphqlMountModule').warn(
        `${name}: guards of Nest run for its HTTP requests alone, not for its sockets. Decide who may ` +
          `subscribe by subscriptions: { onConnect }, or by a context decorator that throws.`,
      );
    }
    await this.subscriptions.start();
  }
}

function withSubscriptions(definition: DynamicModule): DynamicModule {
  const provider = { provide: GraphqlSubscriptionsAdapter, useExisting: MountSubscriptions };
  return {
    ...definition,
    providers: [...(definition.providers ?? []), provider],
    exports: [
      ...((definition.exports as Provider[] | undefined) ?? []),
      GraphqlSubscriptionsAdapter,
    ],
  };
}

function placed(definition: DynamicModule, place: Required<GraphqlMountPlace>): DynamicModule {
  // A class of its own: Nest may tell equal-looking dynamic modules of one class not apart.
  class PlacedMountModule extends GraphqlMountModule {}
  Object.defineProperty(PlacedMountModule, 'name', { value: `${place.name}Module` });
  const route = place.mountAs === 'route' ? graphqlRoute() : undefined;
  const token = getGraphqlAdapterToken(place.name);
  return {
    ...definition,
    module: PlacedMountModule,
    controllers: route ? [route] : [],
    providers: [
      ...(definition.providers ?? []),
      { provide: PLACE, useValue: place },
      {
        provide: MOUNT,
        useFactory: (options: GraphqlMountOptions, container: Container) => {
          const mount = resolveMount(place.name, options, container);
          refuseOtherPlace(options, place);
          if (route) placeRoute(route, mount.path);
          return mount;
        },
        inject: [MODULE_OPTIONS_TOKEN, Container],
      },
      GraphqlEndpoint,
      MountSubscriptions,
      ADAPTER,
      { provide: token, useExisting: GraphqlAdapter },
    ],
    exports: [GraphqlAdapter, token],
  };
}

const ADAPTER: Provider = {
  provide: GraphqlAdapter,
  useFactory: (
    { name, path, counts }: Mount,
    endpoints: GraphqlEndpoints,
    introspection: IntrospectionRegistry,
  ) => {
    const adapter = new GraphqlAdapter(name, path, counts);
    endpoints.add(adapter);
    introspection.register(adapter);
    return adapter;
  },
  inject: [MOUNT, GraphqlEndpoints, IntrospectionRegistry],
};

/** As middleware in place of a route, the guards of the application would not run. */
function refuseOtherPlace({ mountAs }: GraphqlMountOptions, place: GraphqlMountPlace): void {
  const said: unknown = mountAs ?? place.mountAs;
  if (said !== 'middleware' && said !== 'route') {
    throw new GraphqlOptionError(
      `GraphqlMountModule.forRoot({ mountAs }) is ${JSON.stringify(said)}, but must be 'middleware' or 'route'.`,
    );
  }
  if (said === place.mountAs) return;
  throw new GraphqlOptionError(
    `The factory of GraphqlMountModule.forRootAsync() says mountAs: '${said}', which is read before ` +
      `factories run. Say it beside the factory: forRootAsync({ mountAs: '${said}', useFactory }).`,
  );
}
