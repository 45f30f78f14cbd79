import type { CallPeer, ClientQuestion, McpClientInfo } from '../live/call-peer.js';
import type { CallNotifier } from './call-notifier.js';
import type { JsonObject, RequestId } from './json-rpc.js';

/** The client of a session, as far as its protocol server knows it. */
export interface SessionClient {
  readonly info: McpClientInfo | undefined;
  readonly capabilities: JsonObject | undefined;
  /** Sends a request on the stream of one of the client's own. */
  ask(question: ClientQuestion, relatedTo: RequestId, signal: AbortSignal): Promise<unknown>;
}

/** The client of a call in a session: it is asked while the call runs. */
export class SessionPeer implements CallPeer {
  readonly demand = undefined;

  constructor(
    private readonly client: SessionClient,
    private readonly requestId: RequestId,
    private readonly notifier: CallNotifier,
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

  log(...message: Parameters<CallNotifier['log']>): void {
    this.notifier.log(...message);
  }

  ask(question: ClientQuestion, signal: AbortSignal): Promise<unknown> {
    return this.client.ask(question, this.requestId, signal);
  }

  lacks(): void {
    // The exception the route gets says it.
  }
}
