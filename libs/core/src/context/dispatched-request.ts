import type { ExecutionContext } from '@nestjs/common';
import type { ContextRequest } from './platform.js';

/**
 * Records that a request was created in this process on behalf of another request, for example for
 * a tool call. For example, a tenant in a stripped path is found only in the URL of the original
 * request.
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

/** Implemented by code that dispatches a request and expects it to reach a certain handler. */
export interface HandlerCheck {
  /**
   * Accepts the handler that is about to serve the request, or throws. Runs before guards and
   * context decorators. May be called more than once, because a handler may execute GraphQL for its
   * own request.
   */
  reaches(execution: ExecutionContext): void;
}

/** Sets the check of a dispatched request. */
export function checkHandlers(request: object, check: HandlerCheck): void {
  (request as Dispatched)[CHECK] = check;
}

/** Runs the check of a request, if it has one. Throws any error of the check. */
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
