import { AsyncResource } from 'node:async_hooks';

/**
 * Returns a middleware that simulates a connection of several requests, such as a pooled
 * connection. The next middleware therefore runs in another request's async context. Add it to the
 * application under test, before the code that you test.
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
  // The previous request. Each request continues in the async context of another request.
  let opener: AsyncResource | undefined;
  return (_req, _res, next) => {
    const own = new AsyncResource('SharedConnection');
    const connection = opener ?? own;
    opener = own;
    setImmediate(() => connection.runInAsyncScope(next));
  };
}
