import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** An endpoint that requests may reach directly. */
export interface ShortcutEndpoint {
  /** The whole URL of its requests. */
  readonly path: string;
  readonly handle: RequestListener;
  /** Asked for each request: nothing of the application would run before the endpoint. */
  isFree: (request: IncomingMessage) => boolean;
}

/** A listener of the server's `request` event. */
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
  const byPath = opened.get(server) ?? open(server, platform);
  for (const endpoint of endpoints) byPath.set(endpoint.path, endpoint);
}

/** The endpoints of each server. Several packages may open shortcuts of one. */
const opened = new WeakMap<Server, Map<string, ShortcutEndpoint>>();

function open(server: Server, platform: RequestListener): Map<string, ShortcutEndpoint> {
  const byPath = new Map<string, ShortcutEndpoint>();
  const shortcut: RequestListener = (request, response) => {
    const endpoint = byPath.get(request.url as string);
    if (endpoint?.isFree(request)) endpoint.handle(request, response);
    else platform(request, response);
  };
  const listeners = server.rawListeners('request') as RequestListener[];
  server.removeAllListeners('request');
  for (const each of listeners) server.on('request', each === platform ? shortcut : each);
  opened.set(server, byPath);
  return byPath;
}
