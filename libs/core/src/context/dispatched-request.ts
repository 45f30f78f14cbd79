import type { ContextRequest } from './platform.js';

/**
 * Records that this process created a request for another request, for example for a tool call. If
 * the tenant is in a path prefix that was removed, only the URL of the original request contains
 * the tenant.
 */
export function dispatchFor(request: object, origin: object): void {
  (request as Dispatched)[ORIGIN] = origin as ContextRequest;
}

/**
 * Returns the original request for which this request was created. Returns undefined for a request
 * from the network.
 */
export function originOf(request: ContextRequest): ContextRequest | undefined {
  return (request as Dispatched)[ORIGIN] ?? (request.raw as Dispatched | undefined)?.[ORIGIN];
}

// Shared by all copies of this package in a process.
const ORIGIN: unique symbol = Symbol.for('fledge:origin-request') as never;

interface Dispatched {
  [ORIGIN]?: ContextRequest;
}
