/**
 * Keeps for later what a platform does to a request and its response before it passes them on, until code of the
 * application asks for one of them. Until then they are as Node made them.
 * @param complete called once at most
 */
export function completeLater(request: object, complete: () => void): void {
  (request as Incomplete)[COMPLETE] = complete;
}

/** Does now what was kept for later. Returns the request. */
export function completed<T extends object>(request: T): T {
  const incomplete = request as Incomplete;
  const complete = incomplete[COMPLETE];
  if (complete === undefined) return request;
  incomplete[COMPLETE] = undefined;
  complete();
  return request;
}

const COMPLETE = Symbol('fledge:complete');

interface Incomplete {
  [COMPLETE]?: (() => void) | undefined;
}
