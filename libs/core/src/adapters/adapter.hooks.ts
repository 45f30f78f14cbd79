import type { Type } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { HttpContextDecorator } from '../contributors/context-decorator.js';
import type { Introspectable } from '../introspection.registry.js';
import type { Container } from './container.js';

/**
 * Handles the requests of a mount. On Fastify it gets Node's own request and response, and the
 * body is not read yet.
 */
export type MountHandler = {
  // A method, because methods let a handler declare Express' own, narrower types.
  handle(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): unknown;
}['handle'];

/** Where an adapter mounts its handlers. */
export interface MountPoint {
  /**
   * Mounts a handler for every verb of a path, behind the application's middleware and before its
   * routes. The global prefix applies; `/docs/*rest` takes in what is below a path.
   */
  use(path: string, handler: MountHandler): void;
}

/** What an adapter does at the stages of the application's life. Each may be async. */
export interface AdapterHooks {
  /** Every provider exists; nothing is mounted yet. */
  beforeMount?(stage: { readonly app: MountPoint; readonly container: Container }): unknown;
  /** For each controller and each path it is mounted at, when the routes are. */
  onRouteMount?(controller: Type, mountPath: string): unknown;
  /** All routes were announced; Nest's answer to unknown paths is not mounted yet. */
  beforeStart?(): unknown;
  /** The server listens. Not called in an application that never does. */
  afterStart?(stage: { readonly server: Server }): unknown;
  /** The application closes. Waited for, up to `shutdownTimeoutMs`. */
  shutdown?(): unknown;
  introspect?: Introspectable['introspect'];
  /** Context decorators for every route; stronger than global ones, weaker than a module's. */
  readonly contributors?: readonly HttpContextDecorator[];
}

/** What a plugin does: all that an adapter can, and a list of mounts. */
export interface PluginHooks extends AdapterHooks {
  middleware?(): readonly MiddlewareEntry[];
}

/** A handler and its path, mounted like `app.use(path, handler)`. */
export interface MiddlewareEntry {
  readonly path: string;
  readonly handler: MountHandler;
}
