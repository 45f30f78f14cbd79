import {
  type DynamicModule,
  Inject,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnModuleInit,
  RequestMethod,
  type Type,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';
import { ContextModule } from '../module/context.module.js';
import { ADAPTER_CONTRIBUTORS } from '../contributors/registered-contributors.js';
import { IntrospectionRegistry } from '../contracts/introspection.registry.js';
import type { MountHandler, MountPoint, PluginHooks } from './adapter.hooks.js';
import { AdapterLifecycle, MOUNTED_ADAPTER } from './adapter.lifecycle.js';
import { Container } from './container.js';
import {
  type AdapterDefinition,
  type AdapterKind,
  type MountedAdapter,
  mountedAdapter,
  runHook,
} from './mounted-adapter.js';
import { LateMountError } from '../errors.js';
import { runMiddlewareLast } from '../nest/last-middleware.js';

/** The providers that all adapters and plugins of an application share. */
@Module({
  imports: [DiscoveryModule, ContextModule],
  providers: [AdapterLifecycle, Container],
  exports: [AdapterLifecycle, Container],
})
class AdapterHostModule {}

export function adapterModuleOf<Options extends object>(
  kind: AdapterKind,
  definition: AdapterDefinition<Options, PluginHooks>,
  options: Partial<Options>,
): DynamicModule {
  // Each call creates new classes, because Nest may treat dynamic modules of one class as the same
  // module.
  class MountedAdapterModule extends AdapterModule {}
  class AdapterMountModule extends MountModule {}
  Object.defineProperty(MountedAdapterModule, 'name', { value: `${definition.name}Module` });
  Object.defineProperty(AdapterMountModule, 'name', { value: `${definition.name}MountModule` });
  const mount = {
    module: AdapterMountModule,
    imports: [AdapterHostModule],
    providers: [
      // The adapter is created by a factory, so `build` runs once for each application.
      { provide: MOUNTED_ADAPTER, useFactory: () => mountedAdapter(kind, definition, options) },
      {
        provide: ADAPTER_CONTRIBUTORS,
        useFactory: ({ hooks }: MountedAdapter) => hooks.contributors,
        inject: [MOUNTED_ADAPTER],
      },
    ],
    exports: [MOUNTED_ADAPTER],
  };
  return { module: MountedAdapterModule, imports: [AdapterHostModule, mount] };
}

class AdapterModule implements OnModuleInit {
  constructor(
    @Inject(MOUNTED_ADAPTER) { name, kind, hooks }: MountedAdapter,
    @Inject(AdapterLifecycle) private readonly lifecycle: AdapterLifecycle,
    @Inject(IntrospectionRegistry) introspection: IntrospectionRegistry,
  ) {
    introspection.register({
      name,
      kind,
      ...(hooks.introspect && { introspect: hooks.introspect.bind(hooks) }),
    });
  }

  onModuleInit(): Promise<void> {
    return this.lifecycle.moduleInitialised();
  }
}

/** Not the module with the other hooks, because `runMiddlewareLast` changes the order of hooks. */
class MountModule implements NestModule {
  constructor(
    @Inject(MOUNTED_ADAPTER) private readonly adapter: MountedAdapter,
    @Inject(Container) private readonly container: Container,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {}

  async configure(consumer: MiddlewareConsumer): Promise<void> {
    runMiddlewareLast(this.modules, this.constructor as Type);
    const app = new ConsumerMountPoint(consumer, this.adapter.name);
    await runHook(this.adapter, 'middleware', (hooks) =>
      hooks.middleware?.().forEach(({ path, handler }) => app.use(path, handler)),
    );
    await runHook(this.adapter, 'beforeMount', (hooks) =>
      hooks.beforeMount?.({ app, container: this.container }),
    );
    app.close();
  }
}

/** Mounts handlers as Nest middleware. */
class ConsumerMountPoint implements MountPoint {
  private closed = false;

  constructor(
    private readonly consumer: MiddlewareConsumer,
    private readonly adapter: string,
  ) {}

  use(path: string, handler: MountHandler): void {
    if (this.closed) throw new LateMountError(this.adapter, path);
    this.consumer
      .apply(handler)
      .forRoutes({ path, method: RequestMethod.ALL, version: VERSION_NEUTRAL });
  }

  /** Rejects later mounts, because Nest would ignore them. */
  close(): void {
    this.closed = true;
  }
}
