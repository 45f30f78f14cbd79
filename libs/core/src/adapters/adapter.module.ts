import {
  type DynamicModule,
  Inject,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnModuleInit,
  RequestMethod,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
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
  // Each call creates a new class, because Nest may treat dynamic modules of one class as the same
  // module.
  class MountedAdapterModule extends AdapterModule {}
  Object.defineProperty(MountedAdapterModule, 'name', { value: `${definition.name}Module` });
  return {
    module: MountedAdapterModule,
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
  };
}

/** Not global, because middleware of a global module would run before the application's own. */
class AdapterModule implements NestModule, OnModuleInit {
  constructor(
    @Inject(MOUNTED_ADAPTER) private readonly adapter: MountedAdapter,
    @Inject(AdapterLifecycle) private readonly lifecycle: AdapterLifecycle,
    @Inject(Container) private readonly container: Container,
    @Inject(IntrospectionRegistry) introspection: IntrospectionRegistry,
  ) {
    const { name, kind, hooks } = adapter;
    introspection.register({
      name,
      kind,
      ...(hooks.introspect && { introspect: hooks.introspect.bind(hooks) }),
    });
  }

  async configure(consumer: MiddlewareConsumer): Promise<void> {
    const app = new ConsumerMountPoint(consumer, this.adapter.name);
    await runHook(this.adapter, 'middleware', (hooks) =>
      hooks.middleware?.().forEach(({ path, handler }) => app.use(path, handler)),
    );
    await runHook(this.adapter, 'beforeMount', (hooks) =>
      hooks.beforeMount?.({ app, container: this.container }),
    );
    app.close();
  }

  onModuleInit(): Promise<void> {
    return this.lifecycle.moduleInitialised();
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
    this.consumer.apply(handler).forRoutes({ path, method: RequestMethod.ALL });
  }

  /** Rejects later mounts, because Nest would ignore them. */
  close(): void {
    this.closed = true;
  }
}
