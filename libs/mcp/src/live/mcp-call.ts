import { Injectable } from '@nestjs/common';
import { NoRequestContextError, RequestContext } from '@fledge/core';
import type { McpPrincipal } from '../mcp.options.js';
import {
  canBeAsked,
  type ClientFeature,
  type ClientQuestion,
  type McpClientInfo,
} from './call-peer.js';
import type {
  McpElicitation,
  McpElicitRequest,
  McpRoot,
  McpSample,
  McpSampleRequest,
} from './client-input.js';
import { formContentOf, formSchemaOf } from './elicitation.js';
import {
  McpClientAnswerError,
  McpClientCapabilityError,
  McpInputRequiredError,
} from './live.errors.js';
import { type LiveCall, liveCallOf } from './live-call.js';
import type { LogLevel } from './log-level.js';

/**
 * The MCP call a route serves: who calls, and what can be said to the client meanwhile. Inject it
 * anywhere, or take it with `@McpCallInfo()`: one instance serves every request, so providers stay
 * singletons. On plain HTTP, and outside of requests, it is inert.
 *
 * @example
 * ```ts
 * constructor(private readonly call: McpCall) {}
 *
 * async import(rows: Row[]) {
 *   for (const [i, row] of rows.entries()) {
 *     await this.save(row);
 *     this.call.progress(i + 1, rows.length);
 *   }
 * }
 * ```
 */
export abstract class McpCall {
  protected abstract readonly live: LiveCall | undefined;

  /** What is called: `tool`, `resource`, `prompt` or `completion`; undefined on plain HTTP. */
  get kind(): LiveCall['operation']['kind'] | undefined {
    return this.live?.operation.kind;
  }

  /** Name of the tool, the resource or the prompt; undefined on plain HTTP. */
  get name(): string | undefined {
    return this.live?.operation.name;
  }

  /** The software that calls, as it introduced itself: of no weight in a decision on access. */
  get client(): McpClientInfo | undefined {
    return this.live?.peer.info;
  }

  /** What `auth.validate` returned for the caller's token. */
  get principal(): McpPrincipal | undefined {
    return this.live?.principal;
  }

  /** Fires when the caller cancels or goes away, and when the call's time is up. */
  get signal(): AbortSignal | undefined {
    return this.live?.signal;
  }

  /** Whether the client can be asked. False on plain HTTP. */
  supports(feature: ClientFeature): boolean {
    return this.live !== undefined && canBeAsked(this.live.peer, feature);
  }

  /**
   * Tells how far the call is, where the client wants to know.
   * @param progress more with every notification
   * @param total what it amounts to in the end, where that is known
   */
  progress(progress: number, total?: number, message?: string): void {
    this.live?.peer.progress(progress, total, message);
  }

  /**
   * Sends a log message to the client, where it wants messages of that level: not to the log of the
   * application.
   * @param data any JSON value
   * @param logger name of its source
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    this.live?.peer.log(level, data, logger);
  }

  /**
   * Asks the user of the client to fill in a form. The call's time-out waits.
   *
   * A client of 2026-07-28 brings the answer with another request: the route ends here with an
   * exception, which must pass, and runs again from its start. Ask before anything is changed.
   *
   * @throws McpClientCapabilityError where the client cannot ask its user
   * @throws McpClientAnswerError where the answer does not fit the schema
   */
  async elicit<Content = Readonly<Record<string, unknown>>>({
    message,
    schema,
    key,
  }: McpElicitRequest<Content>): Promise<McpElicitation<Content>> {
    const params = { mode: 'form', message, requestedSchema: formSchemaOf(schema) };
    const answer = (await this.ask('elicitation', 'elicitation/create', params, key)) as
      { readonly action?: unknown; readonly content?: unknown } | undefined;
    switch (answer?.action) {
      case undefined:
        return { action: 'unavailable' };
      case 'accept':
        return { action: 'accept', content: await formContentOf(schema, answer?.content) };
      case 'decline':
      case 'cancel':
        return { action: answer.action };
      default:
        throw new McpClientAnswerError('elicitation', 'it has no known action');
    }
  }

  /**
   * Asks the client's model; undefined on plain HTTP. Deprecated by revision 2026-07-28 (SEP-2577).
   * Rounds, time-out and errors are as with `elicit`.
   */
  async sample({ key, ...params }: McpSampleRequest): Promise<McpSample | undefined> {
    return (await this.ask('sampling', 'sampling/createMessage', params, key)) as
      McpSample | undefined;
  }

  /**
   * Asks where the client works; undefined on plain HTTP. Deprecated by revision 2026-07-28 (SEP-2577).
   * Rounds, time-out and errors are as with `elicit`.
   */
  async listRoots(key?: string): Promise<readonly McpRoot[] | undefined> {
    const answer = (await this.ask('roots', 'roots/list', {}, key)) as
      { readonly roots?: readonly McpRoot[] } | undefined;
    return answer && (answer.roots ?? []);
  }

  /** No await before the peer is asked: questions put side by side go out together. */
  private async ask(
    feature: ClientFeature,
    method: ClientQuestion['method'],
    params: ClientQuestion['params'],
    key: string | undefined,
  ): Promise<unknown> {
    const { live } = this;
    if (!live) return undefined;
    const question = { feature, method, params, key: key ?? `${feature}-${live.nextQuestion()}` };
    if (!canBeAsked(live.peer, feature)) {
      live.peer.lacks(question);
      throw new McpClientCapabilityError(feature);
    }
    try {
      return await live.holdWhile(live.peer.ask(question, live.signal));
    } catch (error) {
      if (error instanceof McpInputRequiredError) throw error;
      throw new McpClientAnswerError(feature, error instanceof Error ? error.message : 'unknown');
    }
  }
}

/** The injectable one: looks the current request up at every use. */
@Injectable()
export class CurrentMcpCall extends McpCall {
  constructor(private readonly context: RequestContext) {
    super();
  }

  protected override get live(): LiveCall | undefined {
    try {
      return liveCallOf(this.context.req);
    } catch (error) {
      if (error instanceof NoRequestContextError) return undefined;
      throw error;
    }
  }
}

/** That of one request. */
export class BoundMcpCall extends McpCall {
  constructor(protected override readonly live: LiveCall) {
    super();
  }
}
