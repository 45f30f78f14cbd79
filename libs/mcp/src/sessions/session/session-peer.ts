import type { Caller } from '../../calls/caller.js';
import type { Abortable, Peer, Question } from '../../calls/peer.js';
import type { McpClientInfo } from '../../mcp.definitions.js';
import type { JsonObject, RequestId } from '../../messages/json-rpc.js';
import type { Notifier } from '../../messages/notifications.js';
import type { InFlightRequest } from './in-flight-requests.js';

/** What the SDK knows about the client, and how it sends a question. */
export interface SessionClient {
  readonly info: McpClientInfo | undefined;
  readonly capabilities: JsonObject | undefined;
  /** Sends a request to the client, on the stream of the client's request `relatedTo`. */
  ask(question: Question, relatedTo: RequestId, signal: AbortSignal): Promise<unknown>;
}

/** The client of a request in a session. It answers questions while the call runs. */
export class SessionPeer implements Peer {
  readonly demand = undefined;
  readonly structured = 'object';

  constructor(
    private readonly session: SessionClient,
    private readonly request: InFlightRequest,
    private readonly notifier: Notifier,
  ) {}

  get caller(): Caller {
    return this.request.caller;
  }

  get client(): McpClientInfo | undefined {
    return this.session.info;
  }

  get capabilities(): JsonObject {
    return this.session.capabilities ?? {};
  }

  progress(progress: number, total?: number, message?: string): void {
    this.notifier.progress(progress, total, message);
  }

  log(...message: Parameters<Notifier['log']>): void {
    this.notifier.log(...message);
  }

  ask(question: Question, signal: AbortSignal): Promise<unknown> {
    return this.session.ask(question, this.request.message.id, signal);
  }

  lacks(): void {
    // The route gets an exception. The client gets no separate message.
  }

  closeStream(): boolean {
    return this.request.reply.detach();
  }

  started(call: Abortable): void {
    this.request.started(call);
  }
}
