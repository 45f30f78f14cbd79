import { Logger } from '@nestjs/common';
import type { Caller } from '../../../call/caller.js';
import type { LogLevel, Question } from '../../../call/peer.js';
import type { McpClientInfo } from '../../../../mcp.definitions.js';
import { ClientRequest } from '../../../methods/client-request.js';
import {
  errorJson,
  type JsonObject,
  type JsonRpcRequest,
  RequestFault,
  resultJson,
  resultParts,
} from '../../../protocol/json-rpc.js';
import { INTERNAL_ERROR, RefusalFault } from '../../../protocol/refusals.js';
import type { Reply } from '../../../protocol/reply.js';
import type { MethodAnswer } from '../../../methods/answer.js';
import type { InFlightRequests } from './in-flight-requests.js';
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
