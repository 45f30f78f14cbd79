import type { Type } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { HttpContextDecorator } from '../contributors/context-decorator.js';
import type { Introspectable } from '../contracts/introspection.registry.js';
import type { Container } from './container.js';

/**
 * Handles the requests of a mount. On Fastify, the handler receives Node's request and response,
 * before the body is read.
 */
export type MountHandler = {
  // This is declared as a method, so implementations may use narrower parameter types, such as the
  // types of Express.
  handle(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): unknown;
}['handle'];

/** Mounts the handlers of an adapter. */
export interface MountPoint {
  /**
   * Mounts a handler for every HTTP method of a path. The handler runs after the application's
   * middleware and before its routes. The global prefix applies. `/docs/*rest` matches the paths
   * below `/docs`.
   */
  use(path: string, handler: MountHandler): void;
}

/** Functions that run at the stages of the application's life cycle. Each may be async. */
export interface AdapterHooks {
  /** Runs when all providers exist, before anything is mounted. */
  beforeMount?(stage: { readonly app: MountPoint; readonly container: Container }): unknown;
  /** Runs once for each path of each controller, after the routes are mounted. */
  onRouteMount?(controller: Type, mountPath: string): unknown;
  /** Runs after `onRouteMount`, before Nest mounts its 404 handler. */
  beforeStart?(): unknown;
  /** Runs when the server listens. */
  afterStart?(stage: { readonly server: Server }): unknown;
  /**
   * Runs when the application closes, before the shutdown hooks of other modules. The application
   * waits at most `shutdownTimeoutMs` for this hook.
   */
  shutdown?(): unknown;
  introspect?: Introspectable['introspect'];
  /**
   * Context decorators for every route. They override global decorators. Decorators of a module
   * override them.
   */
  readonly contributors?: readonly HttpContextDecorator[];
}

/** The hooks of a plugin: the hooks of an adapter, and a list of mounts. */
export interface PluginHooks extends AdapterHooks {
  middleware?(): readonly MiddlewareEntry[];
}

/** A handler and its path, mounted like `app.use(path, handler)`. */
export interface MiddlewareEntry {
  readonly path: string;
  readonly handler: MountHandler;
}
