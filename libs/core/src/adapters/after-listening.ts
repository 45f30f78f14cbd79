import { type HttpServer, Logger } from '@nestjs/common';
import type { Server } from 'node:http';

/**
 * Runs a function when the server listens, whether by `app.listen()` or by the server itself.
 * `app.listen()` waits for it. If it fails, the server is closed and `app.listen()` rejects.
 */
export function afterListening(adapter: HttpServer, work: (server: Server) => Promise<void>): void {
  const server = adapter.getHttpServer() as Server;
  let failure: Promise<Error | undefined> = Promise.resolve(undefined);
  server.once('listening', () => {
    failure = work(server).then(
      () => undefined,
      (error: Error) => {
        server.close();
        Logger.error(error, 'Adapters');
        return error;
      },
    );
  });

  // Nest has no hook between listening and the end of `app.listen()`. It resolves when the callback
  // of the adapter's `listen` is called, and rejects when the callback gets an error.
  const listen = adapter.listen.bind(adapter) as (...args: unknown[]) => unknown;
  adapter.listen = (...args: unknown[]) => {
    const done = args.at(-1);
    // `getHttpAdapter().listen(port)`: nobody waits, so a failure is only logged.
    if (!isCallback(done)) return listen(...args);
    return listen(...args.slice(0, -1), (...results: unknown[]) => {
      void failure.then((error) => (error ? done(error) : done(...results)));
    });
  };
}

function isCallback(value: unknown): value is (...results: unknown[]) => void {
  return typeof value === 'function';
}
