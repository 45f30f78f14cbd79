import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { BodySource } from './body-reader.js';

/** What is served at a path beside the application's routes. */
export interface MountedHandler {
  readonly path: string;
  readonly handle: (request: IncomingMessage, response: ServerResponse, body?: BodySource) => void;
}

type Handler = MountedHandler['handle'];

/** The parts of it used here: Express is no dependency of this package. */
export type ExpressApplication = Handler & {
  all(path: string, handler: Handler): void;
  readonly router: { readonly stack: readonly Layer[] };
};

interface Layer {
  readonly handle: Handler;
  match?(path: string): boolean;
}

/**
 * Hands requests to the endpoint straight from the server, as long as nothing of the application
 * stands before it on Express. There every request gets other prototypes, which makes V8 drop its
 * shape: that costs as much as all the endpoint does with it.
 *
 * Express' listener on the server is replaced by one that takes the very path of the endpoint and
 * passes on all else, other spellings of it too. Other listeners see every request as before.
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
 * Whether the last layer so far is the first to see requests to its path. Before it the adapter has
 * one of its own, which does nothing but run the hooks of `setOnRequestHook()` and
 * `setOnResponseHook()`. Hooks may be set at any time, and layers put before this one.
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

/** Recognised by its source text: nothing else marks that layer. For an unknown text the shortcut is not used. */
function runsHooks({ handle }: Layer): boolean {
  return /this\.onResponseHook\b.*this\.onRequestHook\b/s.test(String(handle));
}

/** Where `ExpressAdapter` keeps its hooks. */
type HookedAdapter = AbstractHttpAdapter & {
  readonly onRequestHook?: unknown;
  readonly onResponseHook?: unknown;
};
