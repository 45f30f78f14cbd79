import type { ContextRequest } from './platform.js';

/**
 * Records that a request was created in this process on behalf of another request, such as a tool
 * call. Needed, for example, because a tenant in a stripped path is found only in the URL of the
 * original request.
 */
export function dispatchFor(request: object, origin: object): void {
  (request as Dispatched)[ORIGIN] = origin as ContextRequest;
}

/**
 * Returns the request on whose behalf this one was created, or undefined for a request from the
 * network.
 */
export function originOf(request: ContextRequest): ContextRequest | undefined {
  return (request as Dispatched)[ORIGIN] ?? (request.raw as Dispatched | undefined)?.[ORIGIN];
}

// Shared by all copies of this package in a process.
const ORIGIN: unique symbol = Symbol.for('fledge:origin-request') as never;

interface Dispatched {
  [ORIGIN]?: ContextRequest;
}
