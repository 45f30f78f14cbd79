import type { Caller } from '../call/caller.js';
import { type Abortable, type LogLevel, type Peer, type Question, reaches } from '../call/peer.js';
import type { McpClientInfo } from '../../mcp.definitions.js';
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
 * A request of a client. Each protocol version has an implementation that writes the response. The
 * request is the `Peer` of the call that it starts. The request aborts the call if the client
 * cancels or disconnects, or if its session ends, before the call has ended.
 */
export abstract class ClientRequest implements Peer {
  abstract readonly revision: string;
  abstract readonly client: McpClientInfo | undefined;
  abstract readonly capabilities: JsonObject;
  abstract readonly structured: StructuredForm;
  abstract readonly demand: readonly Question[] | undefined;
  /**
   * The item that the request names, such as a tool. Undefined if the caller may not see the item,
   * or if there is no such item.
   */
  target: Target | undefined = undefined;
  /** True after the response was sent, the request was cancelled, or the connection ended. */
  isOver = false;
  private call: Abortable | undefined = undefined;

  constructor(
    readonly message: JsonRpcRequest,
    readonly caller: Caller,
    readonly reply: Reply,
  ) {}

  get id(): RequestId {
    return this.message.id;
  }

  get method(): string {
    return this.message.method;
  }

  get params(): JsonObject {
    return this.message.params ?? NO_PARAMS;
  }

  /** The lowest level of log messages that the client wants. Undefined: no log messages. */
  protected abstract readonly logLevel: LogLevel | undefined;

  abstract ask(question: Question, signal: AbortSignal): Promise<unknown>;

  abstract lacks(question: Question): void;

  /**
   * Called before the method runs. Afterwards, the HTTP status of the response can no longer
   * change.
   */
  begin(): void {}

  /** Sends the response. */
  abstract answer(answer: MethodAnswer): void;

  /** Sends the error that ended the request. */
  abstract fail(error: unknown): void;

  /** Reports an error to the observers. Called before the error is sent to the client. */
  reportError(code: number, text: string): void {
    const { watch } = this.caller;
    if (watch) watch.reported = { outcome: 'error', error: { code, text } };
  }

  progress(progress: number, total?: number, message?: string): void {
    const progressToken = (this.params['_meta'] as JsonObject | undefined)?.['progressToken'];
    // Notifications are dropped while the client reads too slowly, because they would accumulate in
    // memory.
    if (progressToken === undefined || this.reply.isBehind) return;
    this.notify('notifications/progress', { progressToken, progress, total, message });
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const { logLevel } = this;
    if (logLevel === undefined || !reaches(level, logLevel)) return;
    this.notify('notifications/message', { level, logger, data: data ?? null });
  }

  closeStream(): boolean {
    return this.reply.detach();
  }

  started(call: Abortable): void {
    this.call = call;
    // The client may have disconnected before.
    if (this.isOver || !this.reply.isOpen) call.abort();
  }

  /**
   * Ends the request after its response, its cancellation, or a disconnect. Aborts a call that is
   * still running.
   */
  end(): void {
    if (this.isOver) return;
    // The call is aborted first, while the stream is open, because the stream tells the client that
    // open questions are cancelled.
    this.call?.abort();
    this.isOver = true;
  }

  protected notify(method: string, params: object): void {
    if (!this.isOver) this.reply.send({ method, params });
  }
}

const NO_PARAMS: JsonObject = {};

/** The item that a request names. The item is looked up once and passed along with the request. */
export type Target =
  | { readonly kind: 'tool'; readonly tool: CallableTool }
  | { readonly kind: 'prompt'; readonly prompt: Prompt }
  | { readonly kind: 'resource'; readonly found: FoundResource }
  | { readonly kind: 'template'; readonly template: Resource }
  /** Items that extensions serve. */
  | { readonly kind: 'local-prompt'; readonly prompt: LocalPrompt }
  | { readonly kind: 'local-template'; readonly template: LocalTemplate }
  | { readonly kind: 'local-resource'; readonly resource: LocalResource };

/** Returns the scopes that a caller needs. */
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
