import { isPlainObject } from '@fledge-internal/options';
import { RouteHandlers } from '@fledge/core/packages';
import { type HttpServer, Injectable, Logger } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { nestGraphqlPaths } from '../nest-graphql-modules.js';
import { isSamePath } from '../sockets/socket-path.js';
import type { Mount } from './resolve-mount.js';

/** Fastify hooks that applications and plugins use to protect routes. */
const PROTECTING = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend'];

/** This plugin adds its hooks to each route. */
const RATE_LIMIT = '@fastify/rate-limit';

/** The key under which Nest stores the path of each handler. */
const PATH = 'path';

/** Runs context decorators. They also run for a mount, without this guard. */
const OWN_GUARD = 'ContributorGuard';

const logger = new Logger('GraphqlMountModule');

/** A mount that is not a route. */
type MiddlewareMount = Pick<Mount, 'name' | 'direct'>;

/** Returns the advice for a mount whose requests need guards or hooks. */
function asRoute(direct: boolean): string {
  return direct ? "replace direct: true with mountAs: 'route'" : "set mountAs: 'route'";
}

interface Fastify {
  hasPlugin(name: string): boolean;
  addHook(this: Fastify, name: string, hook: (done: () => void) => void): unknown;
}

/** Warns about parts of the application that do not work together with a mount as middleware. */
@Injectable()
export class MountWarnings {
  /**
   * The number of added hooks, by name. If a plugin adds hooks only in its own scope, they are not
   * counted.
   */
  private readonly added = new Map<string, number>();

  // This provider is created before `main.ts` adds hooks and plugins.
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly routes: RouteHandlers,
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
  ) {
    host.init$.subscribe(() => this.count(this.fastify()));
  }

  /**
   * Warns about Fastify hooks that do not run for the mount. Middie runs the mount, and these hooks
   * were added after middie.
   */
  skippedHooks({ name: mount, direct }: MiddlewareMount): void {
    const fastify = this.fastify();
    // When this hook runs, the plugins of the application are loaded.
    fastify?.addHook('onReady', (done) => {
      const added = [...this.added].map(([name, number]) => `${name} (${number})`);
      if (fastify.hasPlugin(RATE_LIMIT)) added.push(RATE_LIMIT);
      if (added.length > 0) {
        logger.warn(
          `${mount} is mounted as middleware. Fastify runs middleware before hooks and plugins. These hooks do not run for ` +
            `${mount}: ${added.join(', ')}. If these hooks authenticate, limit requests or set headers, ${asRoute(direct)}.`,
        );
      }
      done();
    });
  }

  /**
   * Warns about global guards, which do not run for the mount.
   * @param url the path of the mount, with the global prefix
   */
  skippedGuards({ name: mount, direct }: MiddlewareMount, url: string): void {
    const guards = [
      // nestjs-cls registers a literal guard that allows every request.
      ...this.config
        .getGlobalGuards()
        .filter((guard) => !isPlainObject(guard))
        .map((guard) => guard.constructor.name),
      ...this.config.getGlobalRequestGuards().map(({ metatype }) => metatype?.name ?? 'a guard'),
    ].filter((name) => name !== OWN_GUARD);
    if (guards.length === 0) return;
    logger.warn(
      `${mount} is mounted at ${url} as middleware. These global guards do not run for ${mount}: ${guards.join(', ')}. If these ` +
        `guards authenticate or limit requests, ${asRoute(direct)}, or authenticate in ${direct ? '' : 'middleware or in '}a context decorator.`,
    );
  }

  /**
   * Warns about a route or a `GraphQLModule` at the path of the mount. Such a route receives no
   * requests, because the mount runs first.
   * @param url the path of the mount, with the global prefix
   */
  takenPath(mount: string, url: string): void {
    const holder = this.graphqlModuleAt(url) ?? this.routeAt(url);
    if (holder === undefined) return;
    logger.warn(
      `${mount} and ${holder} have the path ${url}, and the mount handles every request to this path. Give the mount another ` +
        "path: forRoot({ path: '...' }).",
    );
  }

  private graphqlModuleAt(url: string): string | undefined {
    const isTaken = nestGraphqlPaths(this.modules).some((path) => isSamePath(path, url));
    return isTaken ? 'GraphQLModule of @nestjs/graphql' : undefined;
  }

  private routeAt(url: string): string | undefined {
    const handlers = this.routes.with(PATH);
    return handlers.find(({ path }) => isSamePath(path, url))?.label;
  }

  private fastify(): Fastify | undefined {
    // The type excludes null. But the adapter is null in an application without HTTP.
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
