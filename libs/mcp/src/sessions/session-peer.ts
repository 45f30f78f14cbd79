import type { Peer, Question } from '../calls/peer.js';
import type { McpClientInfo } from '../mcp.definitions.js';
import type { Notifier } from '../messages/notifications.js';
import type { JsonObject, RequestId } from '../messages/json-rpc.js';

/** The client of a session, as far as its protocol server knows it. */
export interface SessionClient {
  readonly info: McpClientInfo | undefined;
  readonly capabilities: JsonObject | undefined;
  /** Sends a request on the stream of one of the client's own. */
  ask(question: Question, relatedTo: RequestId, signal: AbortSignal): Promise<unknown>;
}

/** The client of a call in a session: it is asked while the call runs. */
export class SessionPeer implements Peer {
  readonly demand = undefined;

  constructor(
    private readonly client: SessionClient,
    private readonly requestId: RequestId,
    private readonly notifier: Notifier,
  ) {}

  get info(): McpClientInfo | undefined {
    return this.client.info;
  }

  get capabilities(): JsonObject {
    return this.client.capabilities ?? {};
  }

  progress(progress: number, total?: number, message?: string): void {
    this.notifier.progress(progress, total, message);
  }

  log(...message: Parameters<Notifier['log']>): void {
    this.notifier.log(...message);
  }

  ask(question: Question, signal: AbortSignal): Promise<unknown> {
    return this.client.ask(question, this.requestId, signal);
  }

  lacks(): void {
    // The exception the route gets says it.
  }
}
