import { type HttpServer, Injectable, Logger, type Type } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryService,
  HttpAdapterHost,
  ModulesContainer,
} from '@nestjs/core';
import type { Server } from 'node:http';
import { BeforeClosing } from './before-closing.js';
import { withDeadline } from '../http/timers.js';
import { mountPathsOf } from '../nest/route-paths.js';
import { type MountedAdapter, runHook } from './mounted-adapter.js';

export const MOUNTED_ADAPTER = Symbol('fledge:mounted-adapter');

/** Runs the hooks of all adapters and plugins, stage by stage, in the order of imports. */
@Injectable()
export class AdapterLifecycle {
  private readonly logger = new Logger(AdapterLifecycle.name);
  private initialised = 0;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly host: HttpAdapterHost,
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
    closing: BeforeClosing,
  ) {
    // Runs last, because calls that are still running may need an adapter.
    closing.addLast(() => this.shutDownAll());
  }

  /**
   * The module of each adapter calls this when Nest initializes modules. The routes are mounted at
   * that time, but the 404 handler is not. The last call starts all adapters.
   */
  async moduleInitialised(): Promise<void> {
    const adapters = this.adapters();
    this.initialised += 1;
    if (this.initialised < adapters.length || !this.servesHttp()) return;

    const mounts = this.controllerMounts();
    for (const adapter of adapters) {
      for (const { controller, path } of mounts) {
        await runHook(adapter, 'onRouteMount', (hooks) => hooks.onRouteMount?.(controller, path));
      }
    }
    for (const adapter of adapters) {
      await runHook(adapter, 'beforeStart', (hooks) => hooks.beforeStart?.());
    }
    afterListening(this.host.httpAdapter, (server) => this.started(server));
  }

  /** A closing server waits for open connections, and an adapter may keep connections open. */
  private async shutDownAll(): Promise<void> {
    await Promise.all(this.adapters().map((adapter) => this.shutDown(adapter)));
  }

  private async started(server: Server): Promise<void> {
    for (const adapter of this.adapters()) {
      await runHook(adapter, 'afterStart', (hooks) => hooks.afterStart?.({ server }));
    }
  }

  /** A failure is only logged, because the application must close anyway. */
  private async shutDown(adapter: MountedAdapter): Promise<void> {
    const { name, shutdownTimeoutMs } = adapter;
    const late = () =>
      new Error(`The shutdown hook of ${name} took longer than ${shutdownTimeoutMs} ms`);
    await withDeadline(
      runHook(adapter, 'shutdown', (hooks) => hooks.shutdown?.()),
      shutdownTimeoutMs,
      late,
    ).catch((error: Error) => this.logger.error(error));
  }

  private servesHttp(): boolean {
    // The type of the HTTP adapter excludes null. But the adapter is null in application contexts
    // and microservices.
    return Boolean(this.host.httpAdapter);
  }

  private adapters(): MountedAdapter[] {
    return this.discovery
      .getProviders()
      .filter(({ token }) => token === MOUNTED_ADAPTER)
      .map(({ instance }) => instance as MountedAdapter);
  }

  private controllerMounts(): { controller: Type; path: string }[] {
    return this.discovery.getControllers().flatMap(({ metatype, host }) => {
      const controller = metatype as Type;
      return mountPathsOf(controller, host?.metatype, this.modules.applicationId, this.config).map(
        (path) => ({ controller, path }),
      );
    });
  }
}

/**
 * Also runs `work` if the server's own `listen` is called instead of `app.listen()`. `app.listen()`
 * waits for `work`. If `work` fails, the server is closed and `app.listen()` rejects.
 */
function afterListening(adapter: HttpServer, work: (server: Server) => Promise<void>): void {
  const server = adapter.getHttpServer() as Server;
  let failure: Promise<Error | undefined> = Promise.resolve(undefined);
  server.once('listening', () => {
    failure = work(server).then(
      () => undefined,
      (error: Error) => {
        server.close();
        Logger.error(error, 'Adapters');
        return error;
      },
    );
  });

  // Nest has no hook between listening and the end of `app.listen()`. `app.listen()` resolves when
  // the adapter calls the callback of `listen`. It rejects if the callback receives an error.
  const listen = adapter.listen.bind(adapter) as (...args: unknown[]) => unknown;
  adapter.listen = (...args: unknown[]) => {
    const done = args.at(-1);
    // If `getHttpAdapter().listen(port)` is called without a callback, no caller waits. A failure
    // is then only logged.
    if (!isCallback(done)) return listen(...args);
    return listen(...args.slice(0, -1), (...results: unknown[]) => {
      void failure.then((error) => (error ? done(error) : done(...results)));
    });
  };
}

function isCallback(value: unknown): value is (...results: unknown[]) => void {
  return typeof value === 'function';
}
