import type { AbstractHttpAdapter } from '@nestjs/core';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { DirectServerError } from '../errors.js';

/** A listener of the server's `request` event. */
type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** An endpoint that receives its requests directly from the server, before the platform. */
export interface DirectEndpoint {
  /** Complete path, with the global prefix. */
  readonly path: string;
  readonly handle: RequestListener;
  /**
   * If this function returns false, the platform handles the request.
   * @default all requests are accepted
   */
  takes?(request: IncomingMessage): boolean;
}

/**
 * Passes requests for a path from the application's server directly to an endpoint. Middleware and
 * hooks of the application do not run for them. The route of the platform must stay, because some
 * requests still reach the platform: requests with another spelling of the path, injected requests,
 * and requests to other servers of the same platform. Other listeners of the server still receive
 * every request. Call this when the adapter is initialized, before gateways attach to the server.
 * @throws DirectServerError if the server does not pass its requests to the platform
 */
export function serveDirectly(adapter: AbstractHttpAdapter, endpoint: DirectEndpoint): void {
  const server = adapter.getHttpServer() as Server;
  const endpoints = endpointsOf.get(server) ?? takeRequests(server, platformListener(adapter));
  endpoints.set(endpoint.path, endpoint);
}

/** Several packages may add endpoints. */
const endpointsOf = new WeakMap<Server, Map<string, DirectEndpoint>>();

function takeRequests(server: Server, platform: RequestListener): Map<string, DirectEndpoint> {
  const endpoints = new Map<string, DirectEndpoint>();
  const listeners = server.rawListeners('request') as RequestListener[];
  if (!listeners.includes(platform)) throw new DirectServerError();
  const direct: RequestListener = (request, response) => {
    const endpoint = endpoints.get(pathOf(request.url as string));
    if (endpoint === undefined || endpoint.takes?.(request) === false) platform(request, response);
    else endpoint.handle(request, response);
  };
  server.removeAllListeners('request');
  for (const each of listeners) server.on('request', each === platform ? direct : each);
  endpointsOf.set(server, endpoints);
  return endpoints;
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** The Express application, or Fastify's public `routing`. */
function platformListener(adapter: AbstractHttpAdapter): RequestListener {
  const instance = adapter.getInstance<RequestListener & { readonly routing: RequestListener }>();
  return adapter.getType() === 'fastify' ? instance.routing : instance;
}
