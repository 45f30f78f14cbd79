import type { RequestContext } from '@fledge/core';
import { once } from '../once.js';

/**
 * Calls a function once when a request ends. The response is then closed or written, or the client
 * has disconnected. Calls the function immediately if the request has already ended, or if the
 * response has no 'close' event, such as the response of an Apollo socket.
 */
export function onRequestEnd(ctx: RequestContext, run: () => void): void {
  const { req, res } = ctx;
  const response = res as Ending;
  const socket = (req as { readonly socket?: Ending }).socket;
  const hasEnded = response.destroyed === true || response.writableFinished === true;
  if (!response.once || hasEnded || socket?.destroyed === true) return run();
  let removeListener: () => void = () => undefined;
  const end = once(() => {
    removeListener();
    run();
  });
  // Needed because Node.js omits 'close' for a pipelined response if the socket closes first.
  if (socket?.once) removeListener = onSocketClose(socket, end);
  response.once('close', end);
  // The responses of some serverless adapters have no 'close'.
  response.once('finish', () => setImmediate(end));
}

/** Like `onRequestEnd`, but does nothing if the response has no 'close' event. */
export function onClientLeft(ctx: RequestContext, run: () => void): void {
  if ((ctx.res as Ending).once) onRequestEnd(ctx, run);
}

interface Ending {
  readonly destroyed?: boolean;
  readonly writableFinished?: boolean;
  readonly once?: (event: 'close' | 'finish', listener: () => void) => unknown;
}

/** One listener per socket. A keep-alive connection has many requests. */
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
