import type { IncomingMessage } from 'node:http';
import type { Operation } from '../catalogue/operation.js';
import type { McpCall } from './mcp-call.js';
import type { Peer } from './peer.js';

// Apart from `Call`, so that a decorator loads no more than this.

/** The running call, as its route sees it. */
export interface RouteCall {
  readonly operation: Operation;
  readonly peer: Peer;
  /** Aborts when the client cancels, disconnects, or the time-out passes. */
  readonly signal: AbortSignal;
  /** Stops the clock of the call's time-out until the promise is settled. */
  holdWhile<T>(waiting: Promise<T>): Promise<T>;
  /** Numbers the questions of the call: 1, 2, 3. */
  nextQuestion(): number;
  /** What `@McpCallInfo()` hands to the route. */
  asMcpCall(): McpCall;
}

// On the request itself: a WeakMap keyed by requests costs the garbage collector 10 µs for each.
const CALL = Symbol('fledge:call');

interface MarkedRequest extends IncomingMessage {
  [CALL]?: RouteCall;
  /** Node's request under Fastify's. */
  raw?: MarkedRequest;
}

/** Marks the request of a call. */
export function markRequest(request: IncomingMessage, call: RouteCall): void {
  (request as MarkedRequest)[CALL] = call;
}

/** The call of a request: Express' request, Fastify's or Node's. Undefined on plain HTTP. */
export function callOfRequest(request: unknown): RouteCall | undefined {
  const { [CALL]: call, raw } = request as MarkedRequest;
  return call ?? raw?.[CALL];
}
