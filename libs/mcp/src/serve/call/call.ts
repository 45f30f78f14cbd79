import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import {
  checkHandlers,
  dispatchFor,
  type HandlerCheck,
  type RareWarnings,
} from '@fledge/core/packages';
import { type ExecutionContext, NotFoundException } from '@nestjs/common';
import type { RouteRequest } from '../../publish/arguments/request-builder.js';
import type { Operation } from '../../publish/catalogue/operation.js';
import { isWrapperOf } from '../../publish/routes/nest-routes.js';
import { NO_CONTROLLER, type Route } from '../../publish/routes/route.js';
import { markRequest, type RouteCall } from './call-of-request.js';
import { callSocketOf } from './call-socket.js';
import type { CallOrigin } from './caller.js';
import { decodedResponse } from './decoded-response.js';
import { BoundMcpCall } from './live-mcp-call.js';
import type { McpCall } from './mcp-call.js';
import type { MessageFactory } from './node-messages.js';
import type { Peer } from './peer.js';
import type { CallResponse, ResponseEvents } from './recording.js';
import { record } from './response-recorder.js';

export type CallOutcome =
  | { readonly kind: 'response'; readonly response: CallResponse }
  | { readonly kind: 'timeout'; readonly afterMs: number }
  /** The client cancelled the call or disconnected. */
  | { readonly kind: 'aborted' }
  /** The application closed the connection without a response. */
  | { readonly kind: 'closed' }
  /** The URL matched the route of another handler. That handler did not run. */
  | { readonly kind: 'misrouted' };

export interface Application {
  readonly server: Server;
  readonly messages: MessageFactory;
  /** Maximum bytes of a response body to read. */
  readonly responseBytes: number;
}

/** An in-process request and its response. */
export class HttpExchange implements ResponseEvents {
  /** Resolves when the call has ended. Never rejects. */
  readonly outcome: Promise<CallOutcome>;
  private settle!: (outcome: CallOutcome | Promise<CallOutcome>) => void;
  private settled = false;
  private response: ServerResponse | undefined;
  private responseBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  /** The number of promises that the timeout waits for. */
  private held = 0;
  private gone: AbortController | undefined;
  private within: ((run: () => void) => void) | undefined;

  constructor(
    private readonly origin: CallOrigin,
    private readonly timeoutMs: number,
  ) {
    this.outcome = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  /**
   * Passes a request to every `request` listener of the server. The server does not have to listen
   * on a port.
   * @param headers all headers, as alternating names and values
   */
  start(
    { server, messages, responseBytes }: Application,
    call: RouteRequest,
    headers: string[],
  ): void {
    const socket = callSocketOf(this.origin.socket, server);
    const request = messages.request(call, headers, socket);
    const response = (this.response = messages.response(request, socket));
    this.responseBytes = responseBytes;
    record(response, responseBytes, this);
    response.on('close', () => this.end({ kind: 'closed' }));
    this.startClock();
    this.mark(request);
    server.emit('request', request, response);
  }

  onEnd(response: CallResponse): void {
    this.end(this.outcomeOf(response));
  }

  onStop(response: CallResponse): void {
    this.stop(this.outcomeOf(response));
  }

  /** Aborts the request. The request emits `close`, as if a client had disconnected. */
  abort(): void {
    this.stop({ kind: 'aborted' });
  }

  /** Ignores the response of the application, because the request reached another handler. */
  misroute(): void {
    this.end({ kind: 'misrouted' });
  }

  get signal(): AbortSignal {
    // The controller is created on first use, because it costs more than all other objects of a
    // call together.
    if (this.gone === undefined) {
      this.gone = new AbortController();
      // Abort listeners must run in the async context of the call, but a cancellation arrives in
      // another request.
      this.within = AsyncLocalStorage.snapshot();
    }
    return this.gone.signal;
  }

  async holdWhile<T>(waiting: Promise<T>): Promise<T> {
    this.held++;
    clearTimeout(this.timer);
    try {
      return await waiting;
    } finally {
      this.held--;
      if (this.held === 0 && !this.settled) this.startClock();
    }
  }

  /** Stores data on the request before the application receives it. */
  protected mark(request: IncomingMessage): void {
    dispatchFor(request, this.origin);
  }

  private startClock(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.stop({ kind: 'timeout', afterMs: this.timeoutMs });
    }, this.timeoutMs);
  }

  /** Returns a promise only if the body must be decompressed. */
  private outcomeOf(response: CallResponse): CallOutcome | Promise<CallOutcome> {
    if (response.headers['content-encoding'] === undefined) return { kind: 'response', response };
    return decodedResponse(response, this.responseBytes).then((decoded) => ({
      kind: 'response',
      response: decoded,
    }));
  }

  private stop(outcome: CallOutcome | Promise<CallOutcome>): void {
    if (this.settled) return;
    this.end(outcome);
    this.within?.(() => this.gone?.abort());
    this.response?.req.destroy();
    this.response?.destroy();
  }

  private end(outcome: CallOutcome | Promise<CallOutcome>): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timer);
    this.settle(outcome);
  }
}

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
    super.mark(request);
    checkHandlers(request, this);
    this.peer.caller.watch?.dispatched(request);
  }
}

/** Also true for operations of a tool source, because arguments cannot change their path. */
function isOwn({ controller, handler }: Route, execution: ExecutionContext): boolean {
  if (controller === NO_CONTROLLER) return true;
  if (execution.getClass() !== controller) return false;
  const running = execution.getHandler();
  return running === handler || isWrapperOf(running, handler);
}
