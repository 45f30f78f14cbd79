import type { Server } from 'node:http';
import {
  type ExpressLayer,
  hasHooks,
  mayRunFor,
  openShortcut,
  type RequestListener,
  runsHooks,
  type ShortcutEndpoint,
} from '@fledge/core/packages';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { MountedHandlers } from './mounted-handler.js';

/** The parts of Express used here: this package does not depend on Express. */
type ExpressApplication = RequestListener & {
  all(path: string, handler: RequestListener): void;
  readonly router: { readonly stack: readonly ExpressLayer[] };
};

/**
 * Adds the endpoints to Express. Passes requests from the server directly to them, while no middleware of the
 * application runs before them. Express replaces the prototypes of every request, which makes V8 drop the
 * hidden class. That costs as much as the endpoint's work on the request.
 */
export function mountOnExpress(
  adapter: AbstractHttpAdapter,
  { endpoints, documents }: MountedHandlers,
): void {
  const express = adapter.getInstance<ExpressApplication>();
  const shortcuts = endpoints.map((endpoint): ShortcutEndpoint => {
    const { path, handle } = endpoint;
    express.all(path, (request, response) => handle(request, response));
    return { path, handle, isFree: freeCheck(adapter, express.router.stack, path) };
  });
  openShortcut(adapter.getHttpServer() as Server, express, shortcuts);
  for (const { path, handle } of documents) express.all(path, handle);
}

/**
 * Returns a function that is true while no middleware runs before an endpoint, which is the last layer so
 * far. The adapter adds one layer before it, which only runs hooks. Hooks may be set at any time, and layers
 * inserted before this one.
 */
function freeCheck(
  adapter: AbstractHttpAdapter,
  stack: readonly ExpressLayer[],
  path: string,
): () => boolean {
  const place = stack.length - 1;
  const last = stack[place];
  const before = stack.slice(0, place).filter((layer) => mayRunFor(layer, path));
  const isFree = before.length === 1 && before.every(runsHooks);
  return () => isFree && stack[place] === last && !hasHooks(adapter);
}
