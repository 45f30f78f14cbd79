import { AsyncResource } from 'node:async_hooks';

/**
 * Returns a middleware that continues in a callback of a connection which requests share, as middleware that
 * queries a pool does: in the async context of another request. Add it to the application under test, in front of
 * what should keep its tenant.
 *
 * @example
 * ```ts
 * consumer.apply(sharedConnectionMiddleware()).forRoutes('{*path}');
 * ```
 */
export function sharedConnectionMiddleware(): (
  req: unknown,
  res: unknown,
  next: () => void,
) => void {
  // Always the request before: over one connection, each request meets the context of another.
  let opener: AsyncResource | undefined;
  return (_req, _res, next) => {
    const own = new AsyncResource('SharedConnection');
    const connection = opener ?? own;
    opener = own;
    setImmediate(() => connection.runInAsyncScope(next));
  };
}
