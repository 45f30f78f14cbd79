import type { RequestContext } from '@fledge/core';

/**
 * Does something once, when a request is over: it was answered, or its client is gone. At once where
 * that is so already, or where there is no response whose end could be told, as of an operation of a
 * socket.
 */
export function onRequestEnd({ req, res }: RequestContext, run: () => void): void {
  const response = res as Ending;
  const socket = (req as { readonly socket?: Ending }).socket;
  if (!response.once || response.destroyed === true || socket?.destroyed === true) return run();
  let forget: () => void = () => undefined;
  const end = () => {
    forget();
    run();
  };
  // Node tells a response that waits behind another one nothing when their socket dies.
  if (socket?.once) forget = onSocketClose(socket, end);
  response.once('close', end);
}

interface Ending {
  readonly destroyed?: boolean;
  readonly once?: (event: 'close', listener: () => void) => unknown;
}

/** By socket, which many requests share one after the other: one listener for all of them. */
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
