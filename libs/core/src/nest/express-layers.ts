import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';

// The parts of Express used here: this package does not depend on Express.

/** A function of Express' stack. */
export type ExpressHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** A layer of Express' stack. */
export interface ExpressLayer {
  readonly handle: ExpressHandler;
  readonly route?: { readonly methods: Readonly<Record<string, boolean | undefined>> };
  match?(path: string): unknown;
}

/** The layers of an application of Express, in the order in which they run. The list grows with it. */
export function layersOf(adapter: AbstractHttpAdapter): readonly ExpressLayer[] {
  return adapter.getInstance<{ readonly router: { readonly stack: readonly ExpressLayer[] } }>()
    .router.stack;
}

/** Returns whether a layer may run for a path. */
export function mayRunFor(layer: ExpressLayer, path: string): boolean {
  return layer.match?.(path) !== false;
}

/**
 * Returns whether a layer is the one that the adapter adds first: it only runs the hooks of `setOnRequestHook()` and
 * `setOnResponseHook()`. Identifies it by its source text, since it has no other mark. If the text is unknown, the
 * shortcut is not used.
 */
export function runsHooks({ handle }: ExpressLayer): boolean {
  return /this\.onResponseHook\b.*this\.onRequestHook\b/s.test(String(handle));
}
