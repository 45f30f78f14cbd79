import type { HttpServer } from '@nestjs/common';

/**
 * Runs some work when the application closes, ahead of every module's shutdown hooks. Apollo Server
 * drains the HTTP server in its own, which hangs up on sockets without a word.
 */
export function beforeClosing(adapter: HttpServer, work: () => Promise<void>): void {
  // Declared by Nest for adapters, and awaited: nothing else comes before the hooks of all modules.
  const beforeClose = adapter.beforeClose?.bind(adapter) as (() => unknown) | undefined;
  adapter.beforeClose = () => Promise.all([beforeClose?.(), work()]);
}
