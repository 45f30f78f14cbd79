import type { Server } from 'node:http';
import type { HttpServer } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { openForExpress } from './express-shortcut.js';
import { openForFastify } from './fastify-shortcut.js';
import type { MiddlewareEndpoint } from './middleware-endpoint.js';

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
