import { AsyncResource } from 'node:async_hooks';

/**
 * Returns a middleware that continues in a callback of a connection shared by several requests, as
 * middleware that queries a pool does. It therefore continues in the async context of another
 * request. Add it to the application under test, before the code that must keep its tenant.
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
  // The previous request. Over one connection, each request continues in the context of another.
  let opener: AsyncResource | undefined;
  return (_req, _res, next) => {
    const own = new AsyncResource('SharedConnection');
    const connection = opener ?? own;
    opener = own;
    setImmediate(() => connection.runInAsyncScope(next));
  };
}
