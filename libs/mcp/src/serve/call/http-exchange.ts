import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { dispatchFor } from '@fledge/core/packages';
import type { RouteRequest } from '../../publish/arguments/request-builder.js';
import type { CallOrigin } from './caller.js';
import type { CallResponse, ResponseEvents } from './recording.js';
import { decodedResponse, isEncoded } from './decoded-response.js';
import { record } from './response-recorder.js';
import { callSocketOf } from './tls-call-socket.js';
import type { MessageFactory } from './message-factory.js';

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
    dispatchFor(request, this.origin);
    this.mark(request);
    const response = (this.response = messages.response(request, socket));
    this.responseBytes = responseBytes;
    record(response, responseBytes, this);
    response.on('close', () => this.end({ kind: 'closed' }));
    this.startClock();
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
    clearTimeout(this.timer);
    try {
      return await waiting;
    } finally {
      if (!this.settled) this.startClock();
    }
  }

  /** Subclasses override this to store data on the request before the application receives it. */
  protected mark(_request: IncomingMessage): void {}

  private startClock(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.stop({ kind: 'timeout', afterMs: this.timeoutMs });
    }, this.timeoutMs);
  }

  /** Returns a promise only if the body must be decompressed. */
  private outcomeOf(response: CallResponse): CallOutcome | Promise<CallOutcome> {
    if (!isEncoded(response)) return { kind: 'response', response };
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
