import type { ExecutionContext } from '@nestjs/common';
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

/**
 * A check that belongs to a dispatched request. It throws if the request does not reach the
 * expected handler.
 */
export interface HandlerCheck {
  /**
   * Accepts the handler that is about to serve the request, or throws. Runs before guards and
   * before context decorators. May be called more than once, because a handler may execute GraphQL
   * for its own request.
   */
  reaches(execution: ExecutionContext): void;
}

/** Sets the check of a dispatched request. */
export function checkHandlers(request: object, check: HandlerCheck): void {
  (request as Dispatched)[CHECK] = check;
}

/** Throws if a dispatched request does not reach the expected handler. */
export function assertHandler(request: ContextRequest, execution: ExecutionContext): void {
  const check = (request as Dispatched)[CHECK] ?? (request.raw as Dispatched | undefined)?.[CHECK];
  check?.reaches(execution);
}

// Shared by all copies of this package in a process.
const ORIGIN: unique symbol = Symbol.for('fledge:origin-request') as never;
const CHECK: unique symbol = Symbol.for('fledge:handler-check') as never;

interface Dispatched {
  [ORIGIN]?: ContextRequest;
  [CHECK]?: HandlerCheck;
}
