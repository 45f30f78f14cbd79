import type { ContextRequest } from './platform.js';

/**
 * Records that a request was made in this process on behalf of another request, as a tool call is.
 * A tenant in a stripped path, for example, is found in the URL of the other request only.
 */
export function dispatchFor(request: object, origin: object): void {
  (request as Dispatched)[ORIGIN] = origin as ContextRequest;
}

/** The request that caused this one; undefined for a request from the network. */
export function originOf(request: ContextRequest): ContextRequest | undefined {
  return (request as Dispatched)[ORIGIN] ?? (request.raw as Dispatched | undefined)?.[ORIGIN];
}

// Shared by all copies of this package in a process.
const ORIGIN: unique symbol = Symbol.for('fledge:origin-request') as never;

interface Dispatched {
  [ORIGIN]?: ContextRequest;
}
