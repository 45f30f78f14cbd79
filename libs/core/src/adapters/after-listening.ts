import { type HttpServer, Logger } from '@nestjs/common';
import type { Server } from 'node:http';

/**
 * Runs some work when the server listens, however it was made to. `app.listen()` waits for it and
 * rejects when it fails; in every case the server is closed then.
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

  // Nest has no stage between listening and the end of `app.listen()`: that ends when the
  // callback of the adapter's `listen` is called, and rejects when it is called with an error.
  const listen = adapter.listen.bind(adapter) as (...args: unknown[]) => unknown;
  adapter.listen = (...args: unknown[]) => {
    const done = args.pop() as (...results: unknown[]) => void;
    return listen(...args, (...results: unknown[]) => {
      void failure.then((error) => (error ? done(error) : done(...results)));
    });
  };
}
