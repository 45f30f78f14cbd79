import type { AbstractHttpAdapter } from '@nestjs/core';
import { bindExpress, type ExpressApplication } from './bind-express.js';
import { bindFastify, bindMiddie, type FastifyApplication } from './bind-fastify.js';

const bound = new WeakSet<object>();

/**
 * Makes middleware, hooks, routes and handlers of errors run in the context of their request. Call it before
 * `main.ts` goes on. Several applications may share an adapter, and an application context has none.
 */
export function bindHandlers(adapter: AbstractHttpAdapter | null): void {
  if (adapter === null || bound.has(adapter)) return;
  bound.add(adapter);
  switch (adapter.getType()) {
    case 'express':
      return bindExpress(adapter.getInstance<ExpressApplication>());
    case 'fastify':
      bindFastify(adapter.getInstance<FastifyApplication>());
      return bindMiddie(adapter);
  }
}
