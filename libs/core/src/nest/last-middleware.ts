import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

/** Larger than the distance of every other module, except global modules. */
const LAST = Number.MAX_SAFE_INTEGER;

/**
 * Makes the middleware of a module run after the middleware of all other modules. Nest sorts
 * middleware by the distance of its module from the root module, and modules with equal distance by
 * the order of imports. Middleware that authenticates must run before a mount, wherever its module
 * is imported. Call this before Nest registers middleware, at the latest in `configure()`. The
 * distance also sorts lifecycle hooks: those of the module run first at startup, and last at
 * shutdown.
 */
export function runMiddlewareLast(modules: ModulesContainer, metatype: Type): void {
  for (const module of modules.values()) {
    if (module.metatype === metatype) module.distance = LAST;
  }
}
