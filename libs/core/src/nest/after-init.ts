import type { AbstractHttpAdapter } from '@nestjs/core';

/**
 * Runs a function when Nest has initialized the adapter. At that time, the code in `main.ts` has
 * run. Nest's body parser, gateways, middleware of modules and routes are added later. Nest has no
 * hook at this point of `app.init()`, so the adapter's method `init()` is wrapped.
 */
export function afterInit(adapter: AbstractHttpAdapter, run: () => void | Promise<void>): void {
  const init = adapter.init.bind(adapter);
  adapter.init = async () => {
    adapter.init = init;
    await init();
    await run();
  };
}
