import type { AbstractHttpAdapter } from '@nestjs/core';
import { middlewareOfFastify } from './fastify-internals.js';

/** The functions that platforms keep of middleware of this package. */
const own = new WeakSet<object>();

/** Adds middleware to every request, which a shortcut runs itself. */
export function useOwn(adapter: AbstractHttpAdapter, middleware: (...args: never[]) => void): void {
  adapter.use(middleware);
  own.add(middleware);
  if (adapter.getType() !== 'fastify') return;
  // Nest's adapter gives middie another function, which calls this one.
  const kept = middlewareOfFastify(adapter.getInstance())?.at(-1)?.[0];
  if (typeof kept === 'function') own.add(kept);
}

/** Whether a platform's function is middleware of this package. */
export function isOwn(handler: unknown): boolean {
  return typeof handler === 'function' && own.has(handler);
}
