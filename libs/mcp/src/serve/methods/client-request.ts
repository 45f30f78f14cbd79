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
 * A request of a client. Each protocol version has an implementation, which writes the response. The request is the
 * `Peer` of the call that it starts, and aborts that call if it ends first: because the client cancels it or
 * disconnects, or because its session ends.
 */
export abstract class ClientRequest implements Peer {
  abstract readonly revision: string;
  abstract readonly client: McpClientInfo | undefined;
  abstract readonly capabilities: JsonObject;
  abstract readonly structured: StructuredForm;
  abstract readonly demand: readonly Question[] | undefined;
  /** What the request names, such as a tool. Undefined if it names nothing that the caller may see. */
  target: Target | undefined = undefined;
  /** True after the response, a cancellation, or the end of the connection. */
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

  /** The lowest level of log messages that the client wants. Undefined: none. */
  protected abstract readonly logLevel: LogLevel | undefined;

  abstract ask(question: Question, signal: AbortSignal): Promise<unknown>;

  abstract lacks(question: Question): void;

  /** Called before the method runs. No response of another HTTP status can be sent from now on. */
  begin(): void {}

  /** Sends the response. */
  abstract answer(answer: MethodAnswer): void;

  /** Sends the error that ended the request. */
  abstract fail(error: unknown): void;

  /** Tells observers of an error that is about to be sent. */
  reportError(code: number, text: string): void {
    const { watch } = this.caller;
    if (watch) watch.reported = { outcome: 'error', error: { code, text } };
  }

  progress(progress: number, total?: number, message?: string): void {
    const progressToken = (this.params['_meta'] as JsonObject | undefined)?.['progressToken'];
    // Dropped while the client reads too slowly: notifications would accumulate in memory.
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
    // The client may have left before.
    if (this.isOver || !this.reply.isOpen) call.abort();
  }

  /** The request got its response, was cancelled, or its client has left. A call that still runs is aborted. */
  end(): void {
    if (this.isOver) return;
    // Aborted first, while the stream is open: it carries the cancellation of questions to the client.
    this.call?.abort();
    this.isOver = true;
  }

  protected notify(method: string, params: object): void {
    if (!this.isOver) this.reply.send({ method, params });
  }
}

const NO_PARAMS: JsonObject = {};

/** What a request names. It is looked up once, and passed on with the request. */
export type Target =
  | { readonly kind: 'tool'; readonly tool: CallableTool }
  | { readonly kind: 'prompt'; readonly prompt: Prompt }
  | { readonly kind: 'resource'; readonly found: FoundResource }
  | { readonly kind: 'template'; readonly template: Resource }
  /** What extensions answer. */
  | { readonly kind: 'local-prompt'; readonly prompt: LocalPrompt }
  | { readonly kind: 'local-template'; readonly template: LocalTemplate }
  | { readonly kind: 'local-resource'; readonly resource: LocalResource };

/** The scopes that a caller must have. */
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
