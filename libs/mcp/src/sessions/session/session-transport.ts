import type {
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject, RequestId } from '../../messages/json-rpc.js';
import { questionId, questionOf } from './session-share.js';

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

  /** @param process names this process in the ids of questions, if the session is shared */
  constructor(
    readonly sessionId: string,
    private readonly sink: MessageSink,
    private readonly process: string | undefined,
  ) {}

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message) && message.id !== undefined) {
      this.sink.answer(message.id, JSON.stringify(message));
    } else {
      this.sink.push(options?.relatedRequestId, JSON.stringify(this.named(message)));
    }
    return Promise.resolve();
  }

  /** Passes a message of the client to the protocol server. */
  receive(message: JSONRPCMessage): void {
    if (this.process === undefined || 'method' in message) {
      this.onmessage?.(message);
      return;
    }
    const question = questionOf(message.id as RequestId);
    if (question?.process !== this.process) return;
    this.onmessage?.({ ...message, id: question.id });
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  /** The message with the id of its question, or of the question that it cancels, as the client knows it. */
  private named(message: JSONRPCMessage): object {
    const { process } = this;
    if (process === undefined || !('method' in message)) return message;
    if ('id' in message) return { ...message, id: questionId(process, message.id) };
    const { requestId } = (message.params ?? {}) as JsonObject;
    if (message.method !== 'notifications/cancelled' || requestId === undefined) return message;
    const params = { ...message.params, requestId: questionId(process, requestId as RequestId) };
    return { ...message, params };
  }
}
