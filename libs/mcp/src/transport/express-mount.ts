import type { Server } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import {
  type MountedHandlers,
  openShortcut,
  type RequestListener,
  type ShortcutEndpoint,
} from './shortcut.js';

/** The parts of Express used here: this package does not depend on Express. */
type ExpressApplication = RequestListener & {
  all(path: string, handler: RequestListener): void;
  readonly router: { readonly stack: readonly Layer[] };
};

interface Layer {
  readonly handle: RequestListener;
  match?(path: string): boolean;
}

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
 * far. The adapter adds one layer before it, which only runs the hooks of `setOnRequestHook()` and
 * `setOnResponseHook()`. Hooks may be set at any time, and layers inserted before this one.
 */
function freeCheck(adapter: HookedAdapter, stack: readonly Layer[], path: string): () => boolean {
  const place = stack.length - 1;
  const last = stack[place];
  const before = stack.slice(0, place).filter((layer) => layer.match?.(path) !== false);
  const isFree = before.length === 1 && before.every(runsHooks);
  return () =>
    isFree &&
    stack[place] === last &&
    adapter.onRequestHook === undefined &&
    adapter.onResponseHook === undefined;
}

/**
 * Identifies the adapter's layer by its source text, since it has no other mark. If the text is unknown,
 * the shortcut is not used.
 */
function runsHooks({ handle }: Layer): boolean {
  return /this\.onResponseHook\b.*this\.onRequestHook\b/s.test(String(handle));
}

/** The properties in which `ExpressAdapter` stores its hooks. */
type HookedAdapter = AbstractHttpAdapter & {
  readonly onRequestHook?: unknown;
  readonly onResponseHook?: unknown;
};
