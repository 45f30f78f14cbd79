import { isObject } from '@fledge-internal/options';
import { Logger } from '@nestjs/common';
import type { Caller } from '../../call/caller.js';
import type { Abortable, LogLevel, Question } from '../../call/peer.js';
import type { McpClientInfo } from '../../../mcp.definitions.js';
import {
  ErrorCode,
  errorJson,
  type JsonObject,
  type JsonRpcRequest,
  RequestFault,
} from '../../protocol/json-rpc.js';
import { INTERNAL_ERROR, type Refusal, RefusalFault } from '../../protocol/refusals.js';
import type { BodyParts, Reply } from '../../protocol/reply.js';
import type { MethodAnswer } from '../../methods/answer.js';
import { ClientRequest } from '../../methods/client-request.js';
import type { AnswerCheck } from '../../methods/params-check.js';
import { readEnvelope } from './envelope.js';
import { REVISION } from '../message-revision.js';
import { callDigest, inputRequired, InputRounds } from './input-rounds.js';
import type { ResultWriter } from './result-writer.js';
import { invalidState, type RoundState, type RoundStateCodec } from './round-state.js';

export interface StatelessEndpoint {
  readonly results: ResultWriter;
  readonly codec: RoundStateCodec;
  /** Returns the problem if the client's answer to a question is invalid. */
  readonly answerFault: AnswerCheck;
  /** Called when a request has ended. */
  ended(request: StatelessRequest): void;
}

/** A request of MCP 2026-07-28. To answer questions, the client sends another request. */
export class StatelessRequest extends ClientRequest {
  readonly revision = REVISION;
  readonly structured = 'json' as const;
  readonly client: McpClientInfo | undefined;
  readonly capabilities: JsonObject;
  protected readonly logLevel: LogLevel | undefined;
  private rounds: InputRounds | undefined;

  /** The `_meta` of the message must be valid. */
  constructor(
    message: JsonRpcRequest,
    caller: Caller,
    reply: Reply,
    private readonly endpoint: StatelessEndpoint,
  ) {
    super(message, caller, reply);
    const { client, capabilities, logLevel } = readEnvelope(this.params);
    this.client = client;
    this.capabilities = capabilities;
    this.logLevel = logLevel;
  }

  get demand(): readonly Question[] | undefined {
    return this.rounds?.demand;
  }

  get round(): string {
    return this.rounds?.id ?? '';
  }

  /**
   * Reads the answers in this request and in earlier rounds. Must be called before the route runs.
   * @throws RequestFault if the state is invalid, or if the state belongs to another call
   */
  readRounds(): void {
    const { inputResponses, requestState } = this.params;
    if (inputResponses === undefined && requestState === undefined) return;
    const state = requestState === undefined ? undefined : this.endpoint.codec.verify(requestState);
    const rounds = this.newRounds(isObject(inputResponses) ? inputResponses : {}, state);
    if (state && state.call !== rounds.call) throw invalidState();
    this.rounds = rounds;
  }

  ask(question: Question): Promise<unknown> {
    return this.askedRounds().ask(question);
  }

  lacks(question: Question): void {
    this.askedRounds().lacks(question);
  }

  override started(call: Abortable): void {
    super.started(call);
    this.reply.onceClosed(() => this.end());
    // The client may have disconnected before the call started.
    if (!this.reply.isOpen) call.abort();
  }

  answer(answer: MethodAnswer): void {
    if (this.isOver) return;
    const json = this.written(answer);
    this.end();
    this.reply.answer(...json);
  }

  fail(error: unknown): void {
    if (this.isOver) return;
    this.end();
    const refusal = refusalFor(error);
    if (refusal) {
      this.reply.refuse({ ...refusal, id: this.id });
    } else if (error instanceof RequestFault) {
      const code = codeOf(error);
      this.reportError(code, error.message);
      this.reply.answer(errorJson(this.id, code, error.message, error.data));
    } else {
      logger.error(`${this.method} failed`, error);
      this.reply.refuse({ ...INTERNAL_ERROR, id: this.id });
    }
  }

  override end(): void {
    if (this.isOver) return;
    super.end();
    this.endpoint.ended(this);
  }

  private written(answer: MethodAnswer): BodyParts {
    const { id, endpoint } = this;
    const { results, codec } = endpoint;
    switch (answer.kind) {
      case 'list':
        return results.list(id, answer.json);
      case 'input-required':
        return [results.typedResult(id, inputRequired(this, this.askedRounds(), codec))];
      case 'typed':
        return [results.typedResult(id, answer.result)];
      case 'result':
        return this.method === 'resources/read'
          ? [results.cacheableResult(id, answer.result)]
          : [results.result(id, answer.result)];
    }
  }

  private askedRounds(): InputRounds {
    this.rounds ??= this.newRounds({}, undefined);
    return this.rounds;
  }

  private newRounds(brought: JsonObject, state: RoundState | undefined): InputRounds {
    return new InputRounds(callDigest(this), this.endpoint.answerFault, brought, state);
  }
}

/** Returns undefined if the error does not change the status (MCP 2026-07-28, Streamable HTTP). */
function refusalFor(error: unknown): Refusal | undefined {
  if (error instanceof RefusalFault) return error.refusal;
  if (!(error instanceof RequestFault)) return undefined;
  const status = STATUS.get(error.code);
  const { code, message, data } = error;
  return status === undefined ? undefined : { status, code, message, data };
}

const STATUS: ReadonlyMap<number, number> = new Map([
  [ErrorCode.MethodNotFound, 404],
  [ErrorCode.MissingClientCapability, 400],
]);

/** MCP 2026-07-28 has no code for a missing resource. */
function codeOf({ code }: RequestFault): number {
  return code === ErrorCode.ResourceNotFound ? ErrorCode.InvalidParams : code;
}

const logger = new Logger('McpModule');
