import type { RequestContext } from '@fledge/core';

/**
 * Calls a function once when a request ends: its response is closed, or its client disconnected.
 * Calls it immediately if the request has already ended, or if the response has no 'close' event,
 * as for an operation over a socket.
 */
export function onRequestEnd(ctx: RequestContext, run: () => void): void {
  const { req, res } = ctx;
  const response = res as Ending;
  const socket = (req as { readonly socket?: Ending }).socket;
  if (!response.once || response.destroyed === true || socket?.destroyed === true) return run();
  let removeListener: () => void = () => undefined;
  const end = () => {
    removeListener();
    run();
  };
  // Node does not emit 'close' on a pipelined response whose socket closes before its turn.
  if (socket?.once) removeListener = onSocketClose(socket, end);
  response.once('close', end);
}

/** Like `onRequestEnd`, but does nothing if the response has no 'close' event. */
export function onClientLeft(ctx: RequestContext, run: () => void): void {
  if ((ctx.res as Ending).once) onRequestEnd(ctx, run);
}

interface Ending {
  readonly destroyed?: boolean;
  readonly once?: (event: 'close', listener: () => void) => unknown;
}

/** One listener per socket, because a keep-alive connection carries many requests. */
const waiting = new WeakMap<object, Set<() => void>>();

function onSocketClose(socket: Ending, run: () => void): () => void {
  let ends = waiting.get(socket);
  if (ends === undefined) {
    const all = (ends = new Set<() => void>());
    waiting.set(socket, all);
    socket.once?.('close', () => [...all].forEach((end) => end()));
  }
  const known = ends.add(run);
  return () => known.delete(run);
}
