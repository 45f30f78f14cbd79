import type { AbstractHttpAdapter } from '@nestjs/core';
import { type ExpressHandler, layersOf } from './express-layers.js';

/** The body parsers that Nest's adapter for Express added by itself. They run no code of the application. */
const parsers = new WeakSet<ExpressHandler>();

/**
 * Remembers the body parsers that Nest will add. Those of the application look the same, but may have functions,
 * such as `verify`, that get the request. Call it before `main.ts` goes on.
 */
export function rememberParsers(adapter: AbstractHttpAdapter): void {
  if (adapter.getType() !== 'express') return;
  const register = adapter.registerParserMiddleware.bind(adapter);
  adapter.registerParserMiddleware = (...args) => {
    const before = layersOf(adapter).length;
    register(...args);
    for (const { handle } of layersOf(adapter).slice(before)) parsers.add(handle);
  };
}

/** Whether a handler is a body parser that Nest added by itself. */
export function isNestParser(handle: ExpressHandler): boolean {
  return parsers.has(handle);
}
