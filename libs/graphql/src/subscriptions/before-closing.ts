import type { HttpServer } from '@nestjs/common';

/**
 * Runs `work` when the application closes, before the shutdown hooks of modules. Apollo Server drains the
 * HTTP server in its hook, which cuts sockets without a close frame.
 */
export function beforeClosing(adapter: HttpServer, work: () => Promise<void>): void {
  // Nest awaits `beforeClose` of the adapter. It is the only step before the hooks of modules.
  const beforeClose = adapter.beforeClose?.bind(adapter) as (() => unknown) | undefined;
  adapter.beforeClose = () => Promise.all([beforeClose?.(), work()]);
}
