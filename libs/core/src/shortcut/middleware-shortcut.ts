import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { HttpServer } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { openForExpress } from './express-shortcut.js';
import { openForFastify } from './fastify-shortcut.js';

/** An endpoint that is middleware of one path, added by `consumer.apply()` for all methods. */
export interface MiddlewareEndpoint {
  /** The whole URL of its requests, with the global prefix. */
  readonly path: string;
  /** Whether a request may come directly. Others go by way of the platform. */
  readonly takes: (request: IncomingMessage) => boolean;
  /** What runs before the endpoint: the middleware that opens the context of a request. */
  readonly open: (request: never, response: never, next: (error?: unknown) => void) => void;
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a request that a body parser of Express or `open` refused. */
  readonly refuse: (error: unknown, request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * Passes requests from the server directly to an endpoint, while the application has put no middleware or hook
 * before it: the router of the platform, and what it does to each request, cost more than a small answer. Requests have the
 * properties that the platform gives to those of middleware. Call it in `onApplicationBootstrap`.
 */
export function openMiddlewareShortcut(adapter: HttpServer, endpoint: MiddlewareEndpoint): void {
  const http = adapter as AbstractHttpAdapter;
  if (!(http.getHttpServer() as Server | undefined)?.rawListeners) return;
  if (http.getType() === 'fastify') openForFastify(http, endpoint);
  else if (http.getType() === 'express') openForExpress(http, endpoint);
}
