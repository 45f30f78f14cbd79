import type {
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { RequestId } from '../messages/json-rpc.js';

/** Receives the messages of the SDK's protocol server. */
export interface MessageSink {
  /** Sends the answer to a request: the last message on its stream. */
  answer(id: RequestId, json: string): void;
  /** Sends a message that belongs to a running request, or to none. */
  push(related: RequestId | undefined, json: string): void;
}

/** Connects the SDK's protocol server to a session, without the web streams of the SDK's transport. */
export class SessionTransport implements Transport {
  // Set by the protocol server when it connects.
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(
    readonly sessionId: string,
    private readonly sink: MessageSink,
  ) {}

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const json = JSON.stringify(message);
    if (!('method' in message) && message.id !== undefined) this.sink.answer(message.id, json);
    else this.sink.push(options?.relatedRequestId, json);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}
