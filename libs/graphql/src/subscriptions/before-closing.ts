import {
  type BeforeApplicationShutdown,
  type HttpServer,
  Injectable,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';

/**
 * Runs work when the application closes, before anything waits for open sockets and responses: the server, and Apollo
 * Server, which drains the server when its module is destroyed and cuts sockets without a close frame.
 */
@Injectable()
export class BeforeClosing implements BeforeApplicationShutdown {
  private readonly works: (() => Promise<void>)[] = [];
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly modules: ModulesContainer,
  ) {}

  /** @param work called once */
  add(work: () => Promise<void>): void {
    if (this.works.length === 0) this.listen();
    this.works.push(work);
  }

  /** The first step of NestJS 11 without Apollo, and of adapters of others that do not call `beforeClose`. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.run();
  }

  private listen(): void {
    const adapter: HttpServer = this.host.httpAdapter;
    // NestJS 12 awaits it before the hooks of modules. NestJS 11 has no such step.
    const beforeClose = adapter.beforeClose?.bind(adapter) as (() => unknown) | undefined;
    adapter.beforeClose = () => Promise.all([beforeClose?.(), this.run()]);
    for (const { metatype, instance } of this.modules.values()) {
      if (metatype.name === 'GraphQLModule') this.runBefore(instance as Partial<OnModuleDestroy>);
    }
  }

  private runBefore(module: Partial<OnModuleDestroy>): void {
    const destroy = module.onModuleDestroy?.bind(module) as (() => unknown) | undefined;
    module.onModuleDestroy = async () => {
      await this.run();
      await destroy?.();
    };
  }

  private run(): Promise<unknown> {
    return (this.running ??= Promise.all(this.works.map((work) => work())));
  }
}
