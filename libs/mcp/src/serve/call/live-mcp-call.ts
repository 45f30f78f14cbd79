import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { NoRequestContextError, RequestContext } from '@fledge/core';
import type { McpPrincipal } from '../../options/auth-options.js';
import type { Operation } from '../../publish/catalogue/operation.js';
import { canBeAsked, type Question, type LogLevel } from './peer.js';
import type { ClientFeature, McpClientInfo } from '../../mcp.definitions.js';
import type {
  McpElicitation,
  McpElicitRequest,
  McpElicitUrlRequest,
  McpRoot,
  McpSample,
  McpSampleRequest,
  McpUrlElicitation,
} from './client-input.js';
import { formContentOf, formSchemaOf } from './elicitation.js';
import {
  McpClientAnswerError,
  McpClientCapabilityError,
  McpInputRequiredError,
  McpOptionError,
} from '../../mcp.errors.js';
import { callOfRequest, type RouteCall } from './call-of-request.js';
import { McpCall } from './mcp-call.js';

abstract class LiveMcpCall extends McpCall {
  protected abstract readonly call: RouteCall | undefined;

  get kind(): Operation['kind'] | undefined {
    return this.call?.operation.kind;
  }

  get name(): string | undefined {
    return this.call?.operation.name;
  }

  get client(): McpClientInfo | undefined {
    return this.call?.peer.client;
  }

  get principal(): McpPrincipal | undefined {
    return this.call?.peer.caller.principal;
  }

  get signal(): AbortSignal | undefined {
    return this.call?.signal;
  }

  supports(feature: ClientFeature): boolean {
    return this.call !== undefined && canBeAsked(this.call.peer, feature);
  }

  startTask(): Promise<boolean> {
    return this.call?.peer.startTask?.() ?? Promise.resolve(false);
  }

  progress(progress: number, total?: number, message?: string): void {
    this.call?.peer.progress(progress, total, message);
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    this.call?.peer.log(level, data, logger);
  }

  closeStream(): boolean {
    return this.call?.peer.closeStream() ?? false;
  }

  async elicit<Content = Readonly<Record<string, unknown>>>({
    message,
    schema,
    key,
  }: McpElicitRequest<Content>): Promise<McpElicitation<Content>> {
    const params = { mode: 'form', message, requestedSchema: formSchemaOf(schema) };
    const answer = await this.askUser('elicitation', params, key);
    if (answer.action !== 'accept') return { action: answer.action };
    // Clients may omit the content if the user filled in nothing.
    return { action: 'accept', content: await formContentOf(schema, answer.content ?? {}) };
  }

  async elicitUrl({ message, url, key }: McpElicitUrlRequest): Promise<McpUrlElicitation> {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
      throw new McpOptionError(
        `McpCall.elicitUrl({ url }) is "${url}", but must be an absolute http or https URL.`,
      );
    }
    const peer = this.call?.peer;
    const elicitationId = peer?.completed && randomUUID();
    const params = { mode: 'url', message, url, ...(elicitationId && { elicitationId }) };
    const { action } = await this.askUser('elicitation.url', params, key);
    if (action !== 'accept') return { action };
    return { action, complete: () => elicitationId && peer?.completed?.(elicitationId) };
  }

  async sample({ key, ...params }: McpSampleRequest): Promise<McpSample | undefined> {
    return (await this.ask('sampling', 'sampling/createMessage', params, key)) as
      | McpSample
      | undefined;
  }

  async listRoots(key?: string): Promise<readonly McpRoot[] | undefined> {
    const answer = (await this.ask('roots', 'roots/list', {}, key)) as
      | { readonly roots?: readonly McpRoot[] }
      | undefined;
    return answer && (answer.roots ?? []);
  }

  private async askUser(
    feature: ClientFeature,
    params: Question['params'],
    key: string | undefined,
  ): Promise<{
    readonly action: 'accept' | 'decline' | 'cancel' | 'unavailable';
    readonly content?: unknown;
  }> {
    const answer = (await this.ask(feature, 'elicitation/create', params, key)) as
      | { readonly action?: unknown; readonly content?: unknown }
      | undefined;
    const { action, content } = answer ?? {};
    switch (action) {
      case undefined:
        return { action: 'unavailable' };
      case 'accept':
      case 'decline':
      case 'cancel':
        return { action, content };
      default:
        throw new McpClientAnswerError('elicitation', 'the `action` is unknown');
    }
  }

  /**
   * This method must not await anything before `peer.ask()`, because parallel questions must be
   * sent together.
   */
  private async ask(
    feature: ClientFeature,
    method: Question['method'],
    params: Question['params'],
    key: string | undefined,
  ): Promise<unknown> {
    const { call } = this;
    if (!call) return undefined;
    const question = {
      feature,
      method,
      params,
      key: key ?? `${feature.replace('.url', '')}-${call.nextQuestion()}`,
    };
    if (!canBeAsked(call.peer, feature)) {
      call.peer.lacks(question);
      throw new McpClientCapabilityError(feature);
    }
    try {
      return await call.holdWhile(call.peer.ask(question, call.signal));
    } catch (error) {
      if (error instanceof McpInputRequiredError) throw error;
      throw new McpClientAnswerError(feature, error instanceof Error ? error.message : 'unknown');
    }
  }
}

/** The injectable `McpCall`. Looks up the current request on each use. */
@Injectable()
export class CurrentMcpCall extends LiveMcpCall {
  constructor(private readonly context: RequestContext) {
    super();
  }

  protected override get call(): RouteCall | undefined {
    try {
      return callOfRequest(this.context.req);
    } catch (error) {
      if (error instanceof NoRequestContextError) return undefined;
      throw error;
    }
  }
}

/** The `McpCall` of one request. */
export class BoundMcpCall extends LiveMcpCall {
  constructor(protected override readonly call: RouteCall) {
    super();
  }
}
