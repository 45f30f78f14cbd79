import type { AbstractHttpAdapter } from '@nestjs/core';
import type { MountedHandler, MountedHandlers } from './mounted-handler.js';

/** The part of Express used here: this package does not depend on Express. */
interface ExpressApplication {
  all(path: string, handler: MountedHandler['handle']): void;
}

/** Adds the endpoints and their documents to Express. */
export function mountOnExpress(
  adapter: AbstractHttpAdapter,
  { endpoints, documents }: MountedHandlers,
): void {
  const express = adapter.getInstance<ExpressApplication>();
  for (const { path, handle } of [...endpoints, ...documents]) {
    // Without Express' third argument, which is not a body.
    express.all(path, (request, response) => handle(request, response));
  }
}
