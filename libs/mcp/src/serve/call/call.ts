import type { IncomingMessage } from 'node:http';
import { checkHandlers, type HandlerCheck, type RareWarnings } from '@fledge/core/packages';
import { type ExecutionContext, NotFoundException } from '@nestjs/common';
import type { Operation } from '../../publish/catalogue/operation.js';
import { isHandlerOf } from '../../publish/routes/nest-routes.js';
import { markRequest, type RouteCall } from './call-of-request.js';
import { NO_CONTROLLER, type Route } from '../../publish/routes/route.js';
import { HttpExchange } from './http-exchange.js';
import { BoundMcpCall } from './live-mcp-call.js';
import type { McpCall } from './mcp-call.js';
import type { Peer } from './peer.js';

/** A running call. Its arguments are already validated. */
export class Call extends HttpExchange implements RouteCall, HandlerCheck {
  private questions = 0;
  private hasArrived = false;

  constructor(
    readonly operation: Operation,
    readonly peer: Peer,
    private readonly warnings: RareWarnings,
  ) {
    super(peer.caller.origin, operation.timeoutMs);
  }

  nextQuestion(): number {
    return ++this.questions;
  }

  asMcpCall(): McpCall {
    return new BoundMcpCall(this);
  }

  /**
   * Checks that the request reached the call's own route. Otherwise ends the call. Some arguments
   * produce a URL that matches another route. Example: `orders/:id` with the argument `export`. The
   * other route may be unpublished, so it must not run. The call's own handler may run further
   * handlers for the same request.
   */
  reaches(execution: ExecutionContext): void {
    const { name, route } = this.operation;
    if (this.hasArrived || isOwn(route, execution)) {
      this.hasArrived = true;
      return;
    }
    this.misroute();
    const other = `${execution.getClass().name}.${execution.getHandler().name}`;
    this.warnings.warn(
      () =>
        `A call of "${name}" did not run ${route.label}, because the URL with these arguments ` +
        `matches ${other}. Change the path of one of these routes, or restrict the argument with ` +
        'a pattern.',
    );
    throw new NotFoundException();
  }

  protected override mark(request: IncomingMessage): void {
    markRequest(request, this);
    checkHandlers(request, this);
    this.peer.caller.watch?.dispatched(request);
  }
}

/** Also true for operations of a tool source, because arguments cannot change their path. */
function isOwn({ controller, handler }: Route, execution: ExecutionContext): boolean {
  if (controller === NO_CONTROLLER) return true;
  return execution.getClass() === controller && isHandlerOf(execution.getHandler(), handler);
}
