import type { McpPrincipal } from '../mcp.options.js';
import type { Peer } from './peer.js';
import type { LiveCall } from './live-call.js';
import { BoundMcpCall } from './live-mcp-call.js';
import type { McpCall } from './mcp-call.js';
import type { Operation } from '../catalogue/operation.js';
import type { Exchange } from './http-exchange.js';

/** What the route of a call gets to know of it, on the exchange it runs in. */
export class DispatchedCall implements LiveCall {
  private questions = 0;

  constructor(
    readonly operation: Operation,
    readonly principal: McpPrincipal | undefined,
    readonly peer: Peer,
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
