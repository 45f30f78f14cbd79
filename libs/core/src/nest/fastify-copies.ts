import type { FastifyMiddleware } from './fastify-symbols.js';

/**
 * Returns the middleware of a plugin with the paths that it has in the application. Nest gives each plugin the
 * middleware of modules once more, as functions without a path that compare the path themselves. Returns the list
 * as it is if the plugin has other middleware too.
 */
export function withPathsOf(
  application: readonly FastifyMiddleware[],
  plugin: readonly FastifyMiddleware[],
): readonly FastifyMiddleware[] {
  // Middie copied what the application had when the plugin was registered.
  const different = plugin.findIndex(([one, two], i) => {
    const [sameOne, sameTwo] = application[i] ?? [];
    return one !== sameOne || two !== sameTwo;
  });
  if (different === -1) return plugin;
  const added = plugin.slice(different);
  // Nest adds middleware of modules to both lists at once. What `app.use()` adds is in the application's only.
  const originals = application.slice(different).filter(([, original]) => isOfModule(original));
  const areCopies =
    added.length === originals.length &&
    added.every(([copy, more]) => more === undefined && isOfModule(copy));
  return areCopies ? [...plugin.slice(0, different), ...originals] : plugin;
}

/** Identifies the functions that Nest's adapter makes of middleware by their source text: they have no other mark. */
function isOfModule(middleware: unknown): boolean {
  return (
    typeof middleware === 'function' &&
    /\bthis\.runMiddleware\(callback, req, res, next\)/.test(String(middleware))
  );
}
