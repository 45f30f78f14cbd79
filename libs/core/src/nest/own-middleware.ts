import type { AbstractHttpAdapter } from '@nestjs/core';
import { middlewareOfFastify } from './fastify-symbols.js';

/** The functions that platforms keep of middleware of this package. */
const own = new WeakSet<object>();

/** Adds middleware to every request, which a shortcut runs itself. */
export function useOwn(adapter: AbstractHttpAdapter, middleware: (...args: never[]) => void): void {
  own.add(middleware);
  adapter.use(middleware);
  if (adapter.getType() !== 'fastify') return;
  // Nest's adapter gives middie another function, which calls this one.
  const kept = middlewareOfFastify(adapter.getInstance())?.at(-1)?.[0];
  if (typeof kept === 'function') own.add(kept);
}

/** Marks a hook or middleware that changes nothing about a request, so that a shortcut need not run it. */
export function markOwn<T extends object>(handler: T): T {
  own.add(handler);
  return handler;
}

/** Whether a platform's function is middleware or a hook of this package. */
export function isOwn(handler: unknown): boolean {
  return typeof handler === 'function' && own.has(handler);
}
