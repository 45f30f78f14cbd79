import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { BodySource } from './body-reader.js';

/** A handler at a path outside of Nest's routes. */
export interface MountedHandler {
  readonly path: string;
  readonly handle: (request: IncomingMessage, response: ServerResponse, body?: BodySource) => void;
}

type Handler = MountedHandler['handle'];

/** The parts of Express used here: this package does not depend on Express. */
export type ExpressApplication = Handler & {
  all(path: string, handler: Handler): void;
  readonly router: { readonly stack: readonly Layer[] };
};

interface Layer {
  readonly handle: Handler;
  match?(path: string): boolean;
}

/**
 * Passes requests from the server directly to the endpoint, while no middleware of the application runs
 * before it on Express. Express replaces the prototypes of every request, which makes V8 drop the hidden
 * class. That costs as much as the endpoint's work on the request.
 *
 * Replaces Express' listener on the server. The new listener handles the exact path of the endpoint and
 * passes every other request to Express, also other spellings of the path. Other listeners see every
 * request as before.
 * @param adapter of an application whose last layer so far is the endpoint
 */
export function openShortcut(adapter: AbstractHttpAdapter, { path, handle }: MountedHandler): void {
  const server = adapter.getHttpServer() as Server;
  const express = adapter.getInstance<ExpressApplication>();
  const isFirst = firstCheck(adapter, express.router.stack, path);

  const shortcut: Handler = (request, response) => {
    if (request.url === path && isFirst()) handle(request, response);
    else express(request, response);
  };
  const listeners = server.rawListeners('request') as Handler[];
  server.removeAllListeners('request');
  for (const each of listeners) server.on('request', each === express ? shortcut : each);
}

/**
 * Returns a function that is true while no middleware runs before the endpoint, which is the last layer so
 * far. The adapter adds one layer before it, which only runs the hooks of `setOnRequestHook()` and
 * `setOnResponseHook()`. Hooks may be set at any time, and layers inserted before this one.
 */
function firstCheck(adapter: HookedAdapter, stack: readonly Layer[], path: string): () => boolean {
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
