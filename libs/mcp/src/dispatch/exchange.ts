import type { Server, ServerResponse } from 'node:http';
import type { CallOrigin, CallOutcome, CallRequest } from './call.js';
import { CallSocket } from './call-socket.js';
import type { MessageFactory } from './message-factory.js';
import { record } from './response-recorder.js';

/** One request in process and its answer. */
export class Exchange {
  readonly outcome: Promise<CallOutcome>;
  private settle!: (outcome: CallOutcome) => void;
  private settled = false;
  private response: ServerResponse | undefined;
  private timer: NodeJS.Timeout | undefined;

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
    call: CallRequest,
    headers: string[],
    origin: CallOrigin,
    limits: { readonly responseBytes: number; readonly timeoutMs: number },
  ): void {
    const socket = new CallSocket(origin.socket);
    const request = messages.request(call, headers, socket);
    const response = (this.response = messages.response(request, socket));
    record(response, limits.responseBytes, (answer) =>
      this.end({ kind: 'response', response: answer }),
    );
    response.on('close', () => this.end({ kind: 'closed' }));
    this.timer = setTimeout(() => {
      this.stop({ kind: 'timeout', afterMs: limits.timeoutMs });
    }, limits.timeoutMs);
    server.emit('request', request, response);
  }

  /** Closes the inner request: its handler sees the caller go away. */
  abort(): void {
    this.stop({ kind: 'aborted' });
  }

  private stop(outcome: CallOutcome): void {
    if (this.settled) return;
    this.end(outcome);
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
