import crypto from 'node:crypto';
import type { RequestContext } from '@fledge/core';
import {
  type CallError,
  type CallRecord,
  contextOfRequest,
  tenantOfRequest,
} from '@fledge/core/packages';
import type { Operation } from '../../publish/catalogue/operation.js';
import type { McpClientInfo } from '../../mcp.definitions.js';
import type { CallStart } from './call-start.js';
import type { CallTrace } from './call-trace.js';
import { sessionKeyOf } from './session-key.js';

export interface AnswerOutcome {
  readonly outcome: 'ok' | 'error' | 'cancelled' | 'input-required';
  readonly error?: CallError | undefined;
}

export interface CallAnswer extends AnswerOutcome {
  /** HTTP status of the response, if the request was rejected. */
  readonly status?: number | undefined;
  readonly bytes: number;
}

/** A part of `CallOutcome`. */
interface RunEnd {
  readonly kind: string;
  readonly response?: { readonly status: number };
}

export type Publish = (
  record: CallRecord,
  ctx: RequestContext | undefined,
  result: unknown,
) => Promise<void> | undefined;

export interface CallSinks {
  /**
   * If the function returns a promise, the response to the client waits for the promise. Undefined
   * if the data is needed only for the span.
   */
  readonly publish: Publish | undefined;
  /** True if `publish` needs the result. */
  readonly publishesResult: boolean;
  readonly span: CallTrace | undefined;
}

/** Created only if calls are observed. */
export class CallWatch {
  private readonly at = new Date();
  private readonly since = performance.now();
  private client: McpClientInfo | undefined;
  private redacted: CallRecord['arguments'];
  private isKnown = false;
  private hasStarted = false;
  private hasRun = false;
  private route: object | undefined;
  private status: number | undefined;
  private cut: CallError['code'] | undefined;
  private isOver = false;
  private isDetached = false;
  private isLasting = false;
  private isAbandoned = false;
  reported: AnswerOutcome | undefined;
  /** The result without secrets. Must be set if `wantsResult` is true. */
  result: unknown;

  constructor(
    private readonly start: CallStart,
    private readonly sinks: CallSinks,
  ) {
    this.client = start.client;
  }

  get span(): CallTrace | undefined {
    return this.sinks.span;
  }

  get wantsResult(): boolean {
    const { span, publishesResult } = this.sinks;
    return publishesResult || (span?.wantsResult ?? false);
  }

  /** Sets the client of the call's session. */
  from(client: McpClientInfo | undefined): void {
    this.client ??= client;
  }

  /** Called when the tool, prompt or resource was found. */
  found(): void {
    this.isKnown = true;
  }

  /**
   * Called before an operation validates its arguments, and before extensions change the arguments.
   * Only the first call has an effect.
   */
  runs({ redact }: Pick<Operation, 'redact'>, args: Readonly<Record<string, unknown>>): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    const { publish, span } = this.sinks;
    if (publish || span?.wantsArguments) this.redacted = redact(args);
  }

  /** Called directly before an extension runs a tool, prompt or resource that has no route. */
  runsLocally(): void {
    this.hasStarted = true;
    this.hasRun = true;
  }

  /** Called when the request to the route was created. */
  dispatched(request: object): void {
    this.route = request;
    this.hasRun = true;
  }

  /** Called when the route has ended. Returns `end` unchanged. */
  ran<End extends RunEnd>(end: End): End {
    this.status = end.response?.status;
    if (end.kind === 'timeout' || end.kind === 'closed') this.cut = end.kind;
    return end;
  }

  /** Called if the call becomes a task. From then on, only `settle()` ends the call. */
  detach(): void {
    this.isDetached = true;
  }

  /** Ends a call after `detach()`. */
  settle(answer: CallAnswer): Promise<void> | undefined {
    this.isDetached = false;
    return this.end(answer);
  }

  /** Called directly before a run that continues if the client disconnects or cancels. */
  lasts(): void {
    this.isLasting = true;
  }

  /**
   * Called when such a run has ended. Ends the call if the client has left. Otherwise the response
   * ends the call.
   */
  lasted(outcome: AnswerOutcome): void {
    this.isLasting = false;
    if (this.isAbandoned) void this.end({ ...outcome, bytes: 0 });
  }

  /**
   * If this returns a promise, the response must wait for it. Only the first call has an effect.
   */
  end(answer: CallAnswer): Promise<void> | undefined {
    if (this.isOver || this.isDetached) return undefined;
    if (this.isLasting && answer.outcome === 'cancelled') {
      this.isAbandoned = true;
      return undefined;
    }
    this.isOver = true;
    const record = this.recordOf(answer);
    const { publish, span } = this.sinks;
    const { isKnown, result } = this;
    const traced = span?.wantsResult ? result : undefined;
    span?.end({ record, code: answer.error?.code, isKnown, result: traced });
    return publish?.(record, this.route && contextOfRequest(this.route), result);
  }

  private recordOf({ outcome, error, status, bytes }: CallAnswer): CallRecord {
    const { start, client } = this;
    const isRefused = outcome === 'error' && !this.hasRun;
    return {
      id: crypto.randomUUID(),
      at: this.at,
      method: start.method,
      kind: start.kind,
      name: start.name,
      via: start.via,
      client: client && { name: client.name, version: client.version },
      revision: start.revision,
      session: start.sessionId === undefined ? undefined : sessionKeyOf(start.sessionId),
      principal: start.principal?.id,
      endpoint: start.endpoint,
      tenant: this.route && tenantOfRequest(this.route),
      arguments: this.redacted,
      outcome: isRefused ? 'refused' : outcome,
      status: this.status ?? (isRefused ? status : undefined),
      error: error && { code: this.cut ?? error.code, text: error.text.slice(0, 500) },
      durationMs: performance.now() - this.since,
      requestBytes: start.bytes,
      resultBytes: bytes,
    };
  }
}
