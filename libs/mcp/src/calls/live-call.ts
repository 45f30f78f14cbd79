import type { IncomingMessage } from 'node:http';
import type { McpPrincipal } from '../mcp.options.js';
import type { Operation } from '../catalogue/operation.js';
import type { Peer } from './peer.js';
import type { McpCall } from './mcp-call.js';

/** A call under way, as its route sees it. */
export interface LiveCall {
  readonly operation: Operation;
  readonly principal: McpPrincipal | undefined;
  readonly peer: Peer;
  /** Fires when the caller goes away or cancels, and when the call's time is up. */
  readonly signal: AbortSignal;
  /** Stops the clock of the call's time-out until the promise is settled. */
  holdWhile<T>(waiting: Promise<T>): Promise<T>;
  /** Numbers the questions of the call: 1, 2, 3. */
  nextQuestion(): number;
  /** What `@McpCallInfo()` hands to the route. */
  asMcpCall(): McpCall;
}

// On the request itself: a WeakMap keyed by requests costs the garbage collector 10 µs for each.
const LIVE_CALL = Symbol('fledge:LiveCall');

interface CallRequest extends IncomingMessage {
  [LIVE_CALL]?: LiveCall;
  /** Node's request under Fastify's. */
  raw?: CallRequest;
}

/** Marks the request of a call. */
export function bindLiveCall(request: IncomingMessage, call: LiveCall): void {
  (request as CallRequest)[LIVE_CALL] = call;
}

/** The call a request is of: Express' request, Fastify's or Node's. Undefined on plain HTTP. */
export function liveCallOf(request: unknown): LiveCall | undefined {
  const { [LIVE_CALL]: call, raw } = request as CallRequest;
  return call ?? raw?.[LIVE_CALL];
}
