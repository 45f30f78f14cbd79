import type { McpPrincipal } from '../mcp.options.js';
import type { CallPeer } from '../live/call-peer.js';
import type { LiveCall } from '../live/live-call.js';
import { BoundMcpCall } from '../live/live-mcp-call.js';
import type { McpCall } from '../live/mcp-call.js';
import type { Operation } from '../registry/operation.js';
import type { Exchange } from './exchange.js';

/** What the route of a call gets to know of it, on the exchange it runs in. */
export class DispatchedCall implements LiveCall {
  private questions = 0;

  constructor(
    readonly operation: Operation,
    readonly principal: McpPrincipal | undefined,
    readonly peer: CallPeer,
    private readonly exchange: Exchange,
  ) {}

  get signal(): AbortSignal {
    return this.exchange.signal;
  }

  holdWhile<T>(waiting: Promise<T>): Promise<T> {
    return this.exchange.holdWhile(waiting);
  }

  nextQuestion(): number {
    return ++this.questions;
  }

  asMcpCall(): McpCall {
    return new BoundMcpCall(this);
  }
}
