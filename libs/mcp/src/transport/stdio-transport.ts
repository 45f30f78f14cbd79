import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { ErrorCode, type RequestId } from '../messages/json-rpc.js';
import { type Refusal, refusalJson, tooLarge } from '../messages/refusals.js';
import type { RewrittenRequest } from '../operations/extension.js';
import type { ParamsCheck } from '../operations/params-check.js';
import { LISTEN } from '../stateless/envelope.js';
import { UnderWay } from '../messages/under-way.js';
import type { StdioCalls } from './stdio-calls.js';
import { LONGEST_LINE, messageIn, StdioLines } from './stdio-lines.js';

type Sdk = Pick<
  typeof import('@modelcontextprotocol/server'),
  'parseJSONRPCMessage' | 'serializeMessage'
>;

/** What the transport reports to. */
interface StdioHooks {
  /** Describes what is wrong with the parameters of a request. */
  readonly paramsFault: ParamsCheck;
  /** Called when the client sends no more, possibly more than once. */
  readonly onEnd: () => void;
  readonly calls: StdioCalls;
  /** Returns the request that is handled instead of one from the client. */
  readonly rewrite: (message: JSONRPCMessage) => RewrittenRequest | undefined;
}

/**
 * Reads and writes lines of JSON on stdin and stdout. The SDK's transport drops running requests when stdin
 * ends; this one answers them first.
 */
export class StdioTransport implements Transport {
  // Set by the protocol server when it connects.
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private readonly input: Readable;
  private readonly output: Writable;
  private readonly lines = new StdioLines();
  private readonly requests = new Set<RequestId>();
  private readonly questions = new Set<RequestId>();
  private readonly underWay = new UnderWay();
  private closing = false;

  constructor(
    private readonly sdk: Sdk,
    { input, output }: { readonly input: Readable; readonly output: Writable },
    private readonly hooks: StdioHooks,
  ) {
    this.input = input;
    this.output = output;
  }

  start(): Promise<void> {
    this.input.on('data', (chunk: Buffer) => this.read(chunk));
    this.input.once('end', this.hooks.onEnd);
    // The parent closed the pipe, so the output is no longer read.
    this.output.once('error', this.hooks.onEnd);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && 'id' in message) {
      if (this.closing) return this.fail(message.id);
      this.questions.add(message.id);
    }
    return this.write(message);
  }

  close(): Promise<void> {
    this.input.pause();
    this.onclose?.();
    return Promise.resolve();
  }

  /**
   * Waits until running requests are answered and the answers are written. Questions to the client fail,
   * because their answers can no longer arrive. Requests without an answer after `limitMs` get an error.
   */
  async drain(limitMs: number): Promise<void> {
    this.closing = true;
    for (const id of this.questions) void this.fail(id);
    await this.underWay.none(limitMs);
    for (const id of this.requests) await this.write(error(id, SHUTTING_DOWN));
    await new Promise<void>((resolve) => {
      if (this.output.writable) this.output.write('', () => resolve());
      else resolve();
    });
  }

  private read(chunk: Buffer): void {
    const lines = this.lines.read(chunk);
    if (lines === undefined) {
      this.refuse(tooLarge(LONGEST_LINE));
      this.hooks.onEnd();
      return;
    }
    for (const line of lines) {
      const message = messageIn(line, this.sdk.parseJSONRPCMessage);
      if ('jsonrpc' in message) this.receive(message);
      else this.refuse(message);
    }
  }

  /** Answers what cannot be read, so that its sender does not wait. */
  private refuse(refusal: Refusal): void {
    this.onerror?.(new Error(refusal.message));
    this.output.write(`${refusalJson(refusal)}\n`);
  }

  private receive(sent: JSONRPCMessage): void {
    const rewritten = this.hooks.rewrite(sent);
    const message = rewritten?.request ?? sent;
    if (!('method' in message)) {
      if (message.id !== undefined) this.questions.delete(message.id);
    } else if ('id' in message) {
      this.hooks.calls.begin(message, rewritten?.via);
      const refusal = this.refusalOf(message);
      if (refusal) {
        void this.write(refusal);
        return;
      }
      this.begin(message.id, message.method);
    } else if (message.method === 'notifications/cancelled') {
      // A cancelled request gets no answer (MCP 2025-11-25, Cancellation).
      const id = message.params?.['requestId'] as RequestId | undefined;
      this.hooks.calls.cancel(id);
      this.settle(id);
    }
    this.onmessage?.(message);
  }

  private refusalOf(request: JSONRPCRequest): JSONRPCMessage | undefined {
    if (this.closing) return error(request.id, SHUTTING_DOWN);
    const fault = this.hooks.paramsFault(request);
    return fault === undefined ? undefined : error(request.id, fault, ErrorCode.InvalidParams);
  }

  /** Answers a question with an error in place of the client. */
  private async fail(id: RequestId): Promise<void> {
    // Deferred: the protocol server expects an answer only after it has sent its question.
    await setImmediate();
    this.onmessage?.(error(id, 'The client can no longer be asked'));
  }

  private begin(id: RequestId, method: string): void {
    // `subscriptions/listen` is answered only when the client or the connection ends it.
    if (method === LISTEN || this.requests.has(id)) return;
    this.requests.add(id);
    this.underWay.begin();
  }

  private settle(id: RequestId | undefined): void {
    if (id !== undefined && this.requests.delete(id)) this.underWay.end();
  }

  /** Resolves when the whole message is passed to the operating system. */
  private write(message: JSONRPCMessage): Promise<void> {
    const held = this.hooks.calls.end(message);
    return held ? held.then(() => this.put(message)) : this.put(message);
  }

  private put(message: JSONRPCMessage): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.output.write(this.sdk.serializeMessage(message), (fault) =>
        fault ? reject(fault) : resolve(),
      );
    });
    if (!('method' in message)) this.settle(message.id);
    return written;
  }
}

const SHUTTING_DOWN = 'The server is shutting down';

function error(id: RequestId, message: string, code: number = ErrorCode.Refused): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
