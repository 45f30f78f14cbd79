import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { type FastifyInstance, idleOnFastify } from '../nest/fastify-idle.js';
import type { MiddlewareEndpoint } from './middleware-endpoint.js';
import { openShortcut } from './shortcut.js';

/** The parts of Fastify that are used for requests of middleware. */
interface FastifyApplication extends FastifyInstance {
  /** The id of a request, as Fastify gives it. */
  readonly genReqId?: (request: IncomingMessage) => string;
  addHook(name: 'onReady', hook: (done: () => void) => void): void;
}

/** Opens the shortcut of an endpoint of Fastify, which middie would run otherwise. */
export function openForFastify(adapter: AbstractHttpAdapter, endpoint: MiddlewareEndpoint): void {
  const fastify = adapter.getInstance<FastifyApplication>();
  const { path } = endpoint;
  // From then on Fastify takes no more hooks.
  fastify.addHook('onReady', (done) => {
    const isIdle = idleOnFastify(adapter, { scope: fastify, path });
    const isFree = (request: IncomingMessage) => isIdle() && endpoint.takes(request);
    const handle = (request: IncomingMessage, response: ServerResponse) => {
      dress(fastify, request, response);
      endpoint.open(request as never, response as never, (error) => {
        if (error !== undefined) return endpoint.refuse(error, request, response);
        // Middie takes the path off the URL.
        request.url = '/';
        endpoint.serve(request, response);
      });
    };
    openShortcut(adapter.getHttpServer() as Server, fastify.routing, [{ path, isFree, handle }]);
    done();
  });
}

/** Gives Node's request and response the properties that middie gives them: without proxies, and without a query. */
function dress(fastify: FastifyApplication, req: IncomingMessage, res: ServerResponse): void {
  const request = req as IncomingMessage & Record<string, unknown>;
  const { socket, headers } = request;
  const host = headers.host ?? (headers[':authority'] as string | undefined) ?? '';
  request['originalUrl'] = request.url;
  request['id'] = fastify.genReqId?.(request);
  request['hostname'] = hostnameOf(host);
  request['protocol'] = (socket as TLSSocket).encrypted ? 'https' : 'http';
  request['ip'] = socket.remoteAddress;
  request['ips'] = undefined;
  request['log'] = fastify.log;
  request['query'] = {};
  (res as ServerResponse & { log: unknown }).log = fastify.log;
}

/** The host without its port. IPv6 addresses have colons too, in brackets. */
function hostnameOf(host: string): string {
  return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':', 1)[0]!;
}
