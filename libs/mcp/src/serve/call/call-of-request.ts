import type { IncomingMessage } from 'node:http';
import type { Operation } from '../../publish/catalogue/operation.js';
import type { McpCall } from './mcp-call.js';
import type { Peer } from './peer.js';

// Separate from `Call`, so a decorator loads only this file.

/** The parts of a running call that `McpCall` needs. */
export interface RouteCall {
  readonly operation: Operation;
  readonly peer: Peer;
  /** Aborts when the client cancels or disconnects, or when the call times out. */
  readonly signal: AbortSignal;
  /** Stops the timeout of the call until the promise settles, then restarts it. */
  holdWhile<T>(waiting: Promise<T>): Promise<T>;
  /** Returns the number of the next question to the client: 1, 2, 3. */
  nextQuestion(): number;
  /** Ends the call, because its request reached a handler of another route. */
  misroute(): void;
  /** Returns the value that `@McpCallInfo()` injects. */
  asMcpCall(): McpCall;
}

// The call is a property of the request, because a WeakMap keyed by requests costs 10 µs of garbage
// collection for each request.
const CALL = Symbol('fledge:call');

interface MarkedRequest extends IncomingMessage {
  [CALL]?: RouteCall;
  /** Node's request, set on a Fastify request. */
  raw?: MarkedRequest;
}

/** Stores the call on its request. */
export function markRequest(request: IncomingMessage, call: RouteCall): void {
  (request as MarkedRequest)[CALL] = call;
}

/** Returns the call of an Express, Fastify or Node request, or undefined on plain HTTP. */
export function callOfRequest(request: unknown): RouteCall | undefined {
  const { [CALL]: call, raw } = request as MarkedRequest;
  return call ?? raw?.[CALL];
}
