import type { ExecutionContext } from '@nestjs/common';
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

/** Code that dispatched a request and expects it to reach a certain handler. */
export interface HandlerCheck {
  /**
   * Accepts the handler that is about to serve the request, or throws. Runs before guards, and before context
   * decorators. May be called more than once: a handler may execute GraphQL for its own request.
   */
  reaches(execution: ExecutionContext): void;
}

/** Sets the check of a dispatched request. */
export function checkHandlers(request: object, check: HandlerCheck): void {
  (request as Dispatched)[CHECK] = check;
}

/** Runs the check of a request, if it has one. Throws what the check throws. */
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
