import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { BodySource } from './body-reader.js';

/** A handler at a path outside of Nest's routes. */
export interface MountedHandler {
  readonly path: string;
  readonly handle: (request: IncomingMessage, response: ServerResponse, body?: BodySource) => void;
}

/** The endpoints, and the documents that clients read before they call them. */
export interface MountedHandlers {
  readonly endpoints: readonly MountedHandler[];
  readonly documents: readonly MountedHandler[];
}

/** An endpoint that requests may reach directly. */
export interface ShortcutEndpoint extends MountedHandler {
  /** Asked for each request: nothing of the application would run before the endpoint. */
  isFree: () => boolean;
}

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Passes requests from the server directly to their endpoint, past the platform, while that would do nothing
 * else with them. Handles the exact paths only: other spellings of them go to the platform. Other listeners
 * of the server see every request as before.
 * @param platform the platform's listener; without it on the server nothing changes
 */
export function openShortcut(
  server: Server,
  platform: RequestListener,
  endpoints: readonly ShortcutEndpoint[],
): void {
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  const shortcut: RequestListener = (request, response) => {
    const endpoint = byPath.get(request.url as string);
    if (endpoint?.isFree()) endpoint.handle(request, response);
    else platform(request, response);
  };
  const listeners = server.rawListeners('request') as RequestListener[];
  server.removeAllListeners('request');
  for (const each of listeners) server.on('request', each === platform ? shortcut : each);
}
