import { type HttpServer, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Hooks of Fastify with which applications and plugins protect routes. */
const PROTECTING = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend'];

/** Adds its hooks to each route. */
const RATE_LIMIT = '@fastify/rate-limit';

interface Fastify {
  hasPlugin(name: string): boolean;
  addHook(this: Fastify, name: string, hook: (done: () => void) => void): unknown;
}

/** Finds the hooks of Fastify that do not run for a mount as middleware: those added after middie, which runs it. */
@Injectable()
export class SkippedHooks {
  /** Numbers of added hooks by their names. Plugins that stay in their own scope are left out. */
  private readonly added = new Map<string, number>();

  // Created before `main.ts` adds hooks and plugins.
  constructor(private readonly host: HttpAdapterHost) {
    host.init$.subscribe(() => this.count(this.fastify()));
  }

  /** Warns once the plugins of the application are loaded, if they have added hooks. */
  warn(mount: string): void {
    const fastify = this.fastify();
    fastify?.addHook('onReady', (done) => {
      const added = [...this.added].map(([name, number]) => `${name} (${number})`);
      if (fastify.hasPlugin(RATE_LIMIT)) added.push(RATE_LIMIT);
      if (added.length > 0) {
        new Logger('GraphqlMountModule').warn(
          `${mount} is mounted as middleware, which Fastify runs before hooks and plugins. These hooks do not run for ` +
            `it: ${added.join(', ')}. If they authenticate, limit requests or set headers, set mountAs: 'route'.`,
        );
      }
      done();
    });
  }

  private fastify(): Fastify | undefined {
    // The type excludes null, but it is null in an application without HTTP.
    const adapter = this.host.httpAdapter as HttpServer | null;
    return adapter?.getType() === 'fastify' ? (adapter.getInstance() as Fastify) : undefined;
  }

  private count(fastify: Fastify | undefined): void {
    if (fastify === undefined) return;
    const { added } = this;
    // oxlint-disable-next-line typescript/unbound-method -- called with its instance below
    const { addHook } = fastify;
    fastify.addHook = function (name, hook) {
      if (this === fastify && PROTECTING.includes(name))
        added.set(name, (added.get(name) ?? 0) + 1);
      return addHook.call(this, name, hook);
    };
  }
}
