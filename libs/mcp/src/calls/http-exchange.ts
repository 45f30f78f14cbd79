import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server, ServerResponse } from 'node:http';
import { dispatchFor } from '@fledge/core/packages';
import type { RouteRequest } from '../arguments/request-builder.js';
import type { CallOrigin } from './caller.js';
import { type CallResponse, record } from './response-recorder.js';
import { callSocketOf } from './call-socket.js';
import type { MessageFactory } from './message-factory.js';
import { bindLiveCall, type LiveCall } from './live-call.js';

/** How a call ended. */
export type CallOutcome =
  | { readonly kind: 'response'; readonly response: CallResponse }
  | { readonly kind: 'timeout'; readonly afterMs: number }
  /** The caller went away or cancelled. */
  | { readonly kind: 'aborted' }
  /** The application closed the connection without an answer. */
  | { readonly kind: 'closed' };

/** One request in process and its answer. */
export class Exchange {
  readonly outcome: Promise<CallOutcome>;
  private settle!: (outcome: CallOutcome) => void;
  private settled = false;
  private response: ServerResponse | undefined;
  private timer: NodeJS.Timeout | undefined;
  private timeoutMs = 0;
  private gone: AbortController | undefined;
  private within: ((run: () => void) => void) | undefined;

  constructor() {
    this.outcome = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  /**
   * Hands the request to every `request` listener of the server, as if it had come from the wire.
   * The server need not listen.
   */
  start(
    server: Server,
    messages: MessageFactory,
    call: RouteRequest,
    headers: string[],
    origin: CallOrigin,
    limits: { readonly responseBytes: number; readonly timeoutMs: number },
    live?: LiveCall,
  ): void {
    const socket = callSocketOf(origin.socket);
    const request = messages.request(call, headers, socket);
    dispatchFor(request, origin);
    if (live) bindLiveCall(request, live);
    const response = (this.response = messages.response(request, socket));
    record(response, limits.responseBytes, (answer) =>
      this.end({ kind: 'response', response: answer }),
    );
    response.on('close', () => this.end({ kind: 'closed' }));
    this.timeoutMs = limits.timeoutMs;
    this.startClock();
    server.emit('request', request, response);
  }

  /** Closes the inner request: its handler sees the caller go away. */
  abort(): void {
    this.stop({ kind: 'aborted' });
  }

  /** Fires when the call is ended from outside: by its caller, or for its time. */
  get signal(): AbortSignal {
    // Made for those that ask: one costs more than the rest of an exchange's own objects.
    if (this.gone === undefined) {
      this.gone = new AbortController();
      // Listeners run in the context of the call: a cancellation comes with another request.
      this.within = AsyncLocalStorage.snapshot();
    }
    return this.gone.signal;
  }

  /** Stops the clock while something is waited for that is not the application's doing. */
  async holdWhile<T>(waiting: Promise<T>): Promise<T> {
    clearTimeout(this.timer);
    try {
      return await waiting;
    } finally {
      if (!this.settled) this.startClock();
    }
  }

  private startClock(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.stop({ kind: 'timeout', afterMs: this.timeoutMs });
    }, this.timeoutMs);
  }

  private stop(outcome: CallOutcome): void {
    if (this.settled) return;
    this.end(outcome);
    this.within?.(() => this.gone?.abort());
    this.response?.req.destroy();
    this.response?.destroy();
  }

  private end(outcome: CallOutcome): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timer);
    this.settle(outcome);
  }
}
