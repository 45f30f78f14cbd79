import type { AbstractHttpAdapter } from '@nestjs/core';

/** Returns whether the application has set a hook of the adapter. It may at any time. */
export function hasHooks(adapter: AbstractHttpAdapter): boolean {
  const { onRequestHook, onResponseHook } = adapter as HookedAdapter;
  return onRequestHook !== undefined || onResponseHook !== undefined;
}

/** The properties in which the adapters of Express and Fastify store what `setOnRequestHook()` and its twin set. */
type HookedAdapter = AbstractHttpAdapter & {
  readonly onRequestHook?: unknown;
  readonly onResponseHook?: unknown;
};
