import { METHODS } from 'node:http';
import { enterOwnContext, isInOwnContext } from './current-context.js';
import { inOwnContextOfSecond, inOwnContext } from './own-context.js';
import type { ContextRequest } from './platform.js';

/** An application of Express: this package does not depend on Express. */
export type ExpressApplication = Record<string, ((...args: unknown[]) => unknown) | undefined>;

/**
 * Makes what is added to an application of Express from now on run in the context of its request: middleware,
 * routes, mounts and error handlers. Nest's adapter and its middleware modules add them by these methods.
 */
export function bindExpress(express: ExpressApplication): void {
  for (const method of ['use', 'all', ...METHODS.map((name) => name.toLowerCase())]) {
    const add = express[method];
    // `bind` is a method of HTTP too.
    if (add === undefined || !Object.hasOwn(express, method)) continue;
    express[method] = function (this: unknown, ...args) {
      return add.apply(this, args.map(bound));
    };
  }
}

/** Leaves paths and settings as they are. */
function bound(argument: unknown): unknown {
  if (Array.isArray(argument)) return argument.map(bound);
  if (typeof argument !== 'function') return argument;
  // Routers and applications are recognized by their members, so they stay as they are.
  if ('handle' in argument) return [enter, argument];
  return argument.length > 3 ? inOwnContextOfSecond(argument) : inOwnContext(argument);
}

/** Middleware in front of a router. */
function enter(req: ContextRequest, _res: unknown, next: () => void): void {
  if (isInOwnContext(req)) next();
  else enterOwnContext(req, () => next());
}
