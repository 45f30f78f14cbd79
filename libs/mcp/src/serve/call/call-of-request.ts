import type { IncomingMessage } from 'node:http';
import type { Operation } from '../../publish/catalogue/operation.js';
import type { McpCall } from './mcp-call.js';
import type { Peer } from './peer.js';

// Finds the running call of a request. Separate from `call.ts`, so decorators do not load `Call`.

/** The properties of a running call that `McpCall` uses. */
export interface RouteCall {
  readonly operation: Operation;
  readonly peer: Peer;
  /** Aborts if the client cancels, if the client disconnects, or if the call times out. */
  readonly signal: AbortSignal;
  /** Pauses the timeout until all such promises settle. Then the timeout starts again from zero. */
  holdWhile<T>(waiting: Promise<T>): Promise<T>;
  /** Returns the number of the next question to the client. Starts with 1. */
  nextQuestion(): number;
  /** Ends the call, because the request reached the handler of another route. */
  misroute(): void;
  /** Returns the value for a parameter with `@McpCallInfo()`. */
  asMcpCall(): McpCall;
}

// The call is stored on the request. A WeakMap would cost 10 µs of garbage collection per request.
const CALL = Symbol('fledge:call');

interface MarkedRequest extends IncomingMessage {
  [CALL]?: RouteCall;
  /** The Node.js request, if this is a Fastify request. */
  raw?: MarkedRequest;
}

export function markRequest(request: IncomingMessage, call: RouteCall): void {
  (request as MarkedRequest)[CALL] = call;
}

/** Also accepts Express and Fastify requests. Returns undefined on plain HTTP. */
export function callOfRequest(request: unknown): RouteCall | undefined {
  const { [CALL]: call, raw } = request as MarkedRequest;
  return call ?? raw?.[CALL];
}
