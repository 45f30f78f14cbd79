import type { IncomingMessage } from 'node:http';
import type { Operation } from '../../publish/catalogue/operation.js';
import type { McpCall } from './mcp-call.js';
import type { Peer } from './peer.js';

// Separate from `Call`, so that a decorator loads only this file.

/** The members of a running call that `McpCall` needs. */
export interface RouteCall {
  readonly operation: Operation;
  readonly peer: Peer;
  /** Aborts when the client cancels, disconnects, or the time-out passes. */
  readonly signal: AbortSignal;
  /** Stops the time-out of the call until the promise settles, then starts it again in full. */
  holdWhile<T>(waiting: Promise<T>): Promise<T>;
  /** Number of the next question to the client: 1, 2, 3. */
  nextQuestion(): number;
  /** Ends the call because its request reached a handler that is not the route's. */
  misroute(): void;
  /** The value that `@McpCallInfo()` injects. */
  asMcpCall(): McpCall;
}

// A property of the request: a WeakMap keyed by requests costs 10 µs of garbage collection for each.
const CALL = Symbol('fledge:call');

interface MarkedRequest extends IncomingMessage {
  [CALL]?: RouteCall;
  /** On a Fastify request: Node's request. */
  raw?: MarkedRequest;
}

/** Stores the call on its request. */
export function markRequest(request: IncomingMessage, call: RouteCall): void {
  (request as MarkedRequest)[CALL] = call;
}

/** Returns the call of an Express, Fastify or Node request. Undefined on plain HTTP. */
export function callOfRequest(request: unknown): RouteCall | undefined {
  const { [CALL]: call, raw } = request as MarkedRequest;
  return call ?? raw?.[CALL];
}
