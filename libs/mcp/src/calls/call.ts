import type { IncomingMessage } from 'node:http';
import type { Operation } from '../catalogue/operation.js';
import { markRequest, type RouteCall } from './call-of-request.js';
import { HttpExchange } from './http-exchange.js';
import { BoundMcpCall } from './live-mcp-call.js';
import type { McpCall } from './mcp-call.js';
import type { Peer } from './peer.js';

/** A running call, from validated arguments to outcome. */
export class Call extends HttpExchange implements RouteCall {
  private questions = 0;

  constructor(
    readonly operation: Operation,
    readonly peer: Peer,
  ) {
    super(peer.caller.origin, operation.timeoutMs);
  }

  nextQuestion(): number {
    return ++this.questions;
  }

  asMcpCall(): McpCall {
    return new BoundMcpCall(this);
  }

  protected override mark(request: IncomingMessage): void {
    markRequest(request, this);
    this.peer.caller.watch?.dispatched(request);
  }
}
