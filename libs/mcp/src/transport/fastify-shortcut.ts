import type { Server } from 'node:http';
import {
  type FastifyInstance,
  type FastifyRoute,
  idleOnFastify,
  openShortcut,
} from '@fledge/core/packages';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { MountedHandler } from './mounted-handler.js';

/** The scope of a plugin. */
export interface FastifyScope {
  addHook(name: 'onReady', hook: (done: () => void) => void): void;
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): void;
}

/** An endpoint, and the handler of its route in Fastify. */
export type FastifyEndpoint = MountedHandler & { readonly routeHandler: unknown };

/**
 * Passes requests from the server directly to their endpoint, while on Fastify only idle hooks of Nest's
 * adapter would run before it. Fastify's request, reply and hooks cost more than the endpoint's own work.
 * @param scope to which the routes of the endpoints will be added
 */
export function openFastifyShortcut(
  adapter: AbstractHttpAdapter,
  scope: FastifyScope,
  endpoints: readonly FastifyEndpoint[],
): void {
  const fastify = adapter.getInstance<FastifyInstance>();
  const routes: FastifyRoute[] = [];
  scope.addHook('onRoute', (route) => void routes.push(route));
  const shortcuts = endpoints.map((endpoint) => ({ ...endpoint, isFree: (): boolean => false }));
  // From then on Fastify takes no more hooks.
  scope.addHook('onReady', (done) => {
    for (const shortcut of shortcuts) {
      const { path } = shortcut;
      const route = routes.find((each) => each['handler'] === shortcut.routeHandler);
      if (route !== undefined) shortcut.isFree = idleOnFastify(adapter, { path, scope, route });
    }
    done();
  });
  openShortcut(adapter.getHttpServer() as Server, fastify.routing, shortcuts);
}
