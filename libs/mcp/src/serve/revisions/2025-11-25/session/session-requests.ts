import { Logger } from '@nestjs/common';
import type { Caller } from '../../../call/caller.js';
import type { LogLevel, Question } from '../../../call/peer.js';
import type { McpClientInfo } from '../../../../mcp.definitions.js';
import { ClientRequest } from '../../../methods/client-request.js';
import {
  type ClientMessage,
  ErrorCode,
  errorJson,
  isRequestId,
  type JsonObject,
  type JsonRpcRequest,
  RequestFault,
  type RequestId,
  resultJson,
  resultParts,
} from '../../../protocol/json-rpc.js';
import { INTERNAL_ERROR, type Refusal, RefusalFault } from '../../../protocol/refusals.js';
import type { BodyParts, Reply } from '../../../protocol/reply.js';
import { RunningRequests } from '../../../protocol/running-requests.js';
import type { MethodAnswer } from '../../../methods/answer.js';
import type { Questions } from './questions.js';
import type { SessionStreams } from '../streams/session-streams.js';
import type { SessionSettings } from './session-settings.js';

export interface RequestSession {
  /** The negotiated protocol version. */
  readonly revision: string;
  readonly client: McpClientInfo | undefined;
  readonly capabilities: JsonObject;
  readonly settings: SessionSettings;
  readonly questions: Questions;
  readonly requests: InFlightRequests;
  readonly streams: SessionStreams;
  /** Stores the client information. @param params the parameters of `initialize` */
  introduce(params: JsonObject): void;
  /** Deletes the event stream of a request that did not run. */
  dropStream(stream: string): void;
}

/** A request in a session. The client answers questions while the call is running. */
export class SessionRequest extends ClientRequest {
  readonly demand = undefined;
  readonly structured = 'object' as const;

  /** @param stream id of the event stream, if the client can resume the stream */
  constructor(
    message: JsonRpcRequest,
    caller: Caller,
    reply: Reply,
    readonly session: RequestSession,
    private stream: string | undefined,
  ) {
    super(message, caller, reply);
  }

  get revision(): string {
    return this.session.revision;
  }

  get client(): McpClientInfo | undefined {
    return this.session.client;
  }

  get capabilities(): JsonObject {
    return this.session.capabilities;
  }

  protected get logLevel(): LogLevel {
    return this.session.settings.logLevel;
  }

  ask(question: Question, signal: AbortSignal): Promise<unknown> {
    return this.session.questions.ask(question, this, signal);
  }

  override end(): void {
    super.end();
    this.session.questions.endOf(this.reply);
  }

  completed(elicitationId: string): void {
    this.notify('notifications/elicitation/complete', { elicitationId });
  }

  lacks(): void {
    // Nothing to do: the route gets an exception, and no message is sent to the client.
  }

  override begin(): void {
    const { stream } = this;
    if (stream === undefined) return;
    this.stream = undefined;
    // A stream that begins after the end of the request would never end.
    if (this.isOver) this.session.dropStream(stream);
    else this.session.streams.events?.begin(stream, this.id, this.reply);
  }

  answer(answer: MethodAnswer): void {
    const { id } = this;
    const json =
      answer.kind === 'list'
        ? resultParts(id, answer.json)
        : [resultJson(id, JSON.stringify(answer.result ?? {}))];
    this.session.requests.answer(this, ...json);
  }

  fail(error: unknown): void {
    if (error instanceof RefusalFault) {
      if (this.stream !== undefined) this.session.dropStream(this.stream);
      this.session.requests.refuse(this, { ...error.refusal, id: this.id });
      return;
    }
    this.begin();
    if (!(error instanceof RequestFault)) logger.error(`${this.method} failed`, error);
    const { code, message, data } = error instanceof RequestFault ? error : INTERNAL_ERROR;
    this.reportError(code, message);
    this.session.requests.answer(this, errorJson(this.id, code, message, data));
  }
}

const logger = new Logger('McpModule');

export function cancelledBy({ kind, message }: ClientMessage): RequestId | undefined {
  if (kind !== 'notification' || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return isRequestId(id) ? id : undefined;
}

/** A request is removed after its response, after a cancellation, or if the client disconnects. */
export class InFlightRequests {
  private readonly byId = new RunningRequests<RequestId, ClientRequest>();
  /** Counted separately, because a client may still read a response after the request has ended. */
  private openStreams = 0;
  private lastClosed = performance.now();

  /** @param onOver called after the response, after a cancellation, or after a disconnect */
  constructor(
    private readonly sessionId: string,
    private readonly onOver?: (id: RequestId) => void,
  ) {}

  /** Time when the last stream closed, by `performance.now()`. Undefined while one is open. */
  get idleSince(): number | undefined {
    return this.openStreams === 0 ? this.lastClosed : undefined;
  }

  get isEmpty(): boolean {
    return this.byId.size === 0;
  }

  get size(): number {
    return this.byId.size;
  }

  get(id: RequestId): ClientRequest | undefined {
    return this.byId.get(id);
  }

  /** No running request may have the same id. */
  add(request: ClientRequest): void {
    const { reply } = request;
    reply.inSession(this.sessionId);
    reply.onceClosed(() => {
      this.openStreams--;
      this.lastClosed = performance.now();
      if (!request.isOver) this.remove(request);
    });
    // These lines must come last: if a line above throws, the request must not be counted.
    this.byId.set(request.id, request);
    this.openStreams++;
  }

  answer(request: ClientRequest, ...json: BodyParts): void {
    // The request has already ended. Another request may now have the same id.
    if (request.isOver) return;
    this.remove(request);
    request.reply.answer(...json);
  }

  refuse(request: ClientRequest, refusal: Refusal): void {
    if (request.isOver) return;
    this.remove(request);
    request.reply.refuse(refusal);
  }

  /** A cancelled request gets no response (MCP 2025-11-25, Cancellation). */
  cancel(id: RequestId): void {
    const request = this.byId.get(id);
    if (request === undefined) return;
    this.remove(request);
    request.reply.end();
  }

  keepAlive(): void {
    for (const { reply } of this.byId.values()) reply.keepAlive();
  }

  /** Responds with an error, because clients would otherwise wait forever. */
  end(reason: string): void {
    for (const [id, request] of this.byId) {
      this.remove(request);
      request.reportError(ErrorCode.Refused, reason);
      request.reply.answer(errorJson(id, ErrorCode.Refused, reason));
    }
  }

  /** Resolves when no request is running, or after `limitMs` milliseconds. */
  answered(limitMs: number): Promise<void> {
    return this.byId.none(limitMs);
  }

  private remove(request: ClientRequest): void {
    request.end();
    this.byId.delete(request.id);
    this.onOver?.(request.id);
  }
}
