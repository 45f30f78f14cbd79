import type { Caller } from '../call/caller.js';
import { type Abortable, type LogLevel, type Peer, type Question, reaches } from '../call/peer.js';
import type { McpClientInfo } from '../../mcp.definitions.js';
import type { McpPrincipal } from '../../options/auth-options.js';
import type { StructuredForm } from '../../publish/schema/output-schema.js';
import type { JsonObject, JsonRpcRequest, RequestId } from '../protocol/json-rpc.js';
import type { Reply } from '../protocol/reply.js';
import type { MethodAnswer } from './answer.js';
import type { FoundResource } from '../../publish/catalogue/catalogue.js';
import type { Prompt } from '../../publish/catalogue/prompt.js';
import type { Resource } from '../../publish/catalogue/resource.js';
import type { LocalPrompt, LocalResource, LocalTemplate } from './local-items.js';
import type { CallableTool } from './tool-caller.js';

/**
 * Each protocol version has a subclass that writes the response. The request is also the `Peer` of
 * the call. The running call is aborted if the client cancels, if the client disconnects, or if the
 * session ends.
 */
export abstract class ClientRequest implements Peer {
  abstract readonly revision: string;
  abstract readonly client: McpClientInfo | undefined;
  abstract readonly capabilities: JsonObject;
  abstract readonly structured: StructuredForm;
  abstract readonly demand: readonly Question[] | undefined;
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  /** Undefined if the requested item does not exist or is hidden from the caller. */
  target: Target | undefined = undefined;
  /** True if the response was sent, if the request was cancelled, or if the connection ended. */
  isOver = false;
  private call: Abortable | undefined = undefined;

  constructor(
    { id, method, params = {} }: JsonRpcRequest,
    readonly caller: Caller,
    readonly reply: Reply,
  ) {
    this.id = id;
    this.method = method;
    this.params = params;
  }

  /** The client's log level. Lower levels are not sent. Undefined: no log messages are sent. */
  protected abstract readonly logLevel: LogLevel | undefined;

  abstract ask(question: Question, signal: AbortSignal): Promise<unknown>;

  abstract lacks(question: Question): void;

  /** Called before the method runs. After that, the HTTP status of the response cannot change. */
  begin(): void {}

  abstract answer(answer: MethodAnswer): void;

  abstract fail(error: unknown): void;

  /** Reports an error to the observers. Called before the client gets the error. */
  reportError(code: number, text: string): void {
    const { watch } = this.caller;
    if (watch) watch.reported = { outcome: 'error', error: { code, text } };
  }

  progress(progress: number, total?: number, message?: string): void {
    const progressToken = (this.params['_meta'] as JsonObject | undefined)?.['progressToken'];
    // If the client reads too slowly, notifications are dropped. Otherwise notifications would fill
    // the memory.
    if (progressToken === undefined || this.reply.isBehind) return;
    this.notify('notifications/progress', { progressToken, progress, total, message });
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const { logLevel } = this;
    if (logLevel === undefined || !reaches(level, logLevel) || this.reply.isBehind) return;
    this.notify('notifications/message', { level, logger, data: data ?? null });
  }

  closeStream(): boolean {
    return this.reply.detach();
  }

  started(call: Abortable): void {
    this.call = call;
    // The request may have ended before the call started.
    if (this.isOver) call.abort();
  }

  /**
   * Ends the request. Called when the response was sent, when the request was cancelled, or when
   * the client disconnected. Aborts the call if it is still running.
   */
  end(): void {
    if (this.isOver) return;
    // Aborts the call before the stream ends: the call's questions are cancelled through the
    // stream.
    this.call?.abort();
    this.isOver = true;
  }

  protected notify(method: string, params: object): void {
    if (!this.isOver) this.reply.send({ method, params });
  }
}

/** Looked up only once, and then passed along with the request. */
export type Target =
  | { readonly kind: 'tool'; readonly tool: CallableTool }
  | { readonly kind: 'prompt'; readonly prompt: Prompt }
  | { readonly kind: 'resource'; readonly found: FoundResource }
  | { readonly kind: 'template'; readonly template: Resource }
  /** The next three kinds are provided by extensions. */
  | { readonly kind: 'local-prompt'; readonly prompt: LocalPrompt }
  | { readonly kind: 'local-template'; readonly template: LocalTemplate }
  | { readonly kind: 'local-resource'; readonly resource: LocalResource };

export function hasScopes(principal: McpPrincipal | undefined, scopes: readonly string[]): boolean {
  return scopes.every((scope) => principal?.scopes?.includes(scope));
}

export function requiredScopes(target: Target): readonly string[] {
  switch (target.kind) {
    case 'tool':
      return target.tool.scopes;
    case 'prompt':
    case 'local-prompt':
      return target.prompt.scopes;
    case 'resource':
      return target.found.resource.scopes;
    case 'template':
    case 'local-template':
      return target.template.scopes;
    case 'local-resource':
      return target.resource.scopes;
  }
}
