import { fastifyInternal } from '@fledge/core/packages';
import { type HttpServer, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Hooks of Fastify with which applications and plugins protect routes. */
const PROTECTING = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend'];

/** Adds its hooks to each route. */
const RATE_LIMIT = '@fastify/rate-limit';

type Hooks = Readonly<Record<string, readonly unknown[] | undefined>>;

interface Fastify {
  hasPlugin(name: string): boolean;
  addHook(name: 'onReady', hook: (done: () => void) => void): void;
}

/** Finds the hooks of Fastify that do not run for a mount as middleware: those added after middie, which runs it. */
@Injectable()
export class SkippedHooks {
  /** Hooks of Nest's adapter, and of a Fastify instance that was passed to it. */
  private readonly before: ReadonlyMap<string, number>;

  // Created before `main.ts` adds hooks and plugins.
  constructor(private readonly host: HttpAdapterHost) {
    this.before = this.numbers();
  }

  /** Warns once the plugins of the application are loaded, if they have added hooks. */
  warn(mount: string): void {
    const fastify = this.fastify();
    fastify?.addHook('onReady', (done) => {
      const added: string[] = [...this.numbers()].flatMap(([name, number]) => {
        const more = number - (this.before.get(name) ?? 0);
        return more > 0 ? `${name} (${more})` : [];
      });
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

  private numbers(): Map<string, number> {
    const hooks = fastifyInternal<Hooks>(this.fastify(), 'fastify.hooks');
    return new Map(PROTECTING.map((name) => [name, hooks?.[name]?.length ?? 0]));
  }
}
