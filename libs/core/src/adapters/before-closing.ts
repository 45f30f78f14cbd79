import { Injectable, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

type Work = () => unknown;

/**
 * Runs functions when the application closes, before the shutdown hooks of all other modules. Some
 * of these hooks wait for open sockets and responses. Apollo Server waits 10 seconds, and then
 * closes sockets without a close frame.
 */
@Injectable()
export class BeforeClosing implements OnModuleDestroy {
  private readonly logger = new Logger(BeforeClosing.name);
  private readonly works: Work[] = [];
  private readonly lastWorks: Work[] = [];
  private running: Promise<void> | undefined;

  /** @param work closes connections that clients keep open. It is called once */
  add(work: Work): void {
    this.works.push(work);
  }

  /** @param work called once, after all functions of `add()` have finished */
  addLast(work: Work): void {
    this.lastWorks.push(work);
  }

  async onModuleDestroy(): Promise<void> {
    this.running ??= this.runAll(this.works).then(() => this.runAll(this.lastWorks));
    await this.running;
  }

  /** Failures are only logged, because the application must close anyway. */
  private async runAll(works: readonly Work[]): Promise<void> {
    await Promise.all(
      works.map(async (work) => {
        try {
          await work();
        } catch (error) {
          this.logger.error(error);
        }
      }),
    );
  }
}

/** This is a separate module, because it must close before all other modules. */
@Module({ providers: [BeforeClosing], exports: [BeforeClosing] })
export class ClosingModule {
  constructor(modules: ModulesContainer) {
    // Nest calls `onModuleDestroy` of modules with a small distance first. The root module has
    // distance 0.
    for (const module of modules.values()) {
      if (module.metatype === ClosingModule) module.distance = -1;
    }
  }
}
