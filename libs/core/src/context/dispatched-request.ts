import type { ContextRequest } from './platform.js';

/**
 * Notes that a request was made in this process on behalf of another one, as a tool call is: what
 * its URL does not say, such as a tenant in a stripped path, the other one's says.
 */
export function dispatchFor(request: object, origin: object): void {
  (request as Dispatched)[ORIGIN] = origin as ContextRequest;
}

/** The request on whose behalf another was made; undefined for one from the wire. */
export function originOf(request: ContextRequest): ContextRequest | undefined {
  return (request as Dispatched)[ORIGIN] ?? (request.raw as Dispatched | undefined)?.[ORIGIN];
}

// One for all copies of this package in a process.
const ORIGIN: unique symbol = Symbol.for('fledge:origin-request') as never;

interface Dispatched {
  [ORIGIN]?: ContextRequest;
}
