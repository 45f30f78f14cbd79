import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { BodySource } from './body-reader.js';

/** A handler at a path outside of Nest's routes. */
export interface MountedHandler {
  readonly path: string;
  readonly handle: (request: IncomingMessage, response: ServerResponse, body?: BodySource) => void;
}

/** The endpoint, and the documents that clients read before they call it. */
export type MountedHandlers = readonly [endpoint: MountedHandler, ...documents: MountedHandler[]];

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Passes requests from the server directly to an endpoint, past the platform, while that would do nothing
 * else with them. Handles the exact path only: other spellings of it go to the platform. Other listeners of
 * the server see every request as before.
 * @param platform the platform's listener; without it on the server nothing changes
 * @param isFree asked for each request: nothing of the application would run before the endpoint
 */
export function openShortcut(
  server: Server,
  platform: RequestListener,
  { path, handle }: MountedHandler,
  isFree: () => boolean,
): void {
  const shortcut: RequestListener = (request, response) => {
    if (request.url === path && isFree()) handle(request, response);
    else platform(request, response);
  };
  const listeners = server.rawListeners('request') as RequestListener[];
  server.removeAllListeners('request');
  for (const each of listeners) server.on('request', each === platform ? shortcut : each);
}
