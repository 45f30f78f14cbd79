import type { Caller } from '../calls/caller.js';
import type { Dispatcher } from '../calls/dispatcher.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Awaitable } from '../catalogue/published-list.js';
import type { Operation } from '../catalogue/operation.js';
import { PAGES_EXTENSION } from '../catalogue/page.js';
import type { ArgumentValidatorCompiler } from '../arguments/argument-validator.js';
import { Completer } from './completer.js';
import type { ClientMessage, JsonObject } from '../messages/json-rpc.js';
import { isRecord } from '../schema/json-schema.js';
import type { EndpointExtension, NamedExtension, RewrittenRequest } from './extension.js';
import type { McpCapabilities } from './capabilities.js';
import { type ParamsCheck, paramsCheck } from './params-check.js';
import { PromptGetter } from './prompt-getter.js';
import { ResourceReader } from './resource-reader.js';
import { ToolCaller } from './tool-caller.js';

/** The request handlers, for every revision and transport. */
export class Operations {
  readonly tools: ToolCaller;
  readonly resources: ResourceReader;
  readonly prompts: PromptGetter;
  readonly completer: Completer;
  readonly capabilities: McpCapabilities;
  private readonly rewriters: readonly NonNullable<EndpointExtension['rewrite']>[];
  /** All scopes that published operations require. */
  readonly scopes: readonly string[];
  /** The longest time-out of a call in milliseconds, without the time for questions to the client. */
  readonly longestCallMs: number;

  constructor(
    catalogue: Catalogue,
    private readonly dispatcher: Dispatcher,
    private readonly validatorOf: ArgumentValidatorCompiler,
    extensions: readonly NamedExtension[],
  ) {
    const { operations } = catalogue;
    this.tools = new ToolCaller(catalogue.tools, dispatcher, validatorOf, extensions);
    this.rewriters = extensions.flatMap(({ rewrite }) => rewrite ?? []);
    const unlisted = extensions.flatMap(({ resource }) => resource ?? []);
    this.resources = new ResourceReader(catalogue, dispatcher, unlisted);
    this.prompts = new PromptGetter(catalogue.prompts, dispatcher);
    this.completer = new Completer(catalogue, dispatcher);
    this.scopes = [...new Set(operations.flatMap(({ scopes }) => scopes))];
    this.longestCallMs = Math.max(0, ...operations.map(({ timeoutMs }) => timeoutMs));
    const added = extensions.reduce<Partial<McpCapabilities>>(
      (all, { capabilities: own }) => ({ ...all, ...own }),
      {},
    );
    this.capabilities = {
      tools: {},
      logging: {},
      ...added,
      ...(!this.resources.isEmpty && { resources: { subscribe: true } }),
      ...(!this.prompts.isEmpty && { prompts: {} }),
      ...(operations.some(({ kind }) => kind === 'completion') && { completions: {} }),
      ...(hasPages(catalogue) && { extensions: { [PAGES_EXTENSION]: {} } }),
    };
  }

  /** Identifies the sender of a message, for what only that sender may get. */
  keyOf(caller: Caller): string {
    return this.dispatcher.keyOf(caller);
  }

  /**
   * The request that is answered instead of one from a client. Undefined: that one. Everything that follows reads one
   * kind of call: visibility, scopes, validation, rounds of questions, records.
   */
  rewrite(
    client: ClientMessage | undefined,
    headers: Caller['origin']['headers'],
  ): RewrittenRequest | undefined {
    if (this.rewriters.length === 0 || client?.kind !== 'request') return undefined;
    for (const rewrite of this.rewriters) {
      const rewritten = rewrite(client.message, headers);
      if (rewritten) return rewritten;
    }
    return undefined;
  }

  /** Creates a check for the parameters of these methods. */
  paramsCheck(methods: Iterable<string>): ParamsCheck {
    return paramsCheck(this.validatorOf, methods);
  }

  /**
   * The scopes that a message requires, if the caller lacks any of them. Empty if none is missing, or if
   * the named operation is hidden from the caller.
   */
  missingScopes(message: unknown, caller: Caller): Awaitable<readonly string[]> {
    if (this.scopes.length === 0 || !isRecord(message) || !isRecord(message['params'])) return NONE;
    return this.missingOf(message['method'], message['params'], caller);
  }

  private async missingOf(
    method: unknown,
    params: JsonObject,
    caller: Caller,
  ): Promise<readonly string[]> {
    const { scopes = NONE } = (await this.namedBy(method, params, caller)) ?? {};
    return scopes.every((scope) => caller.principal?.scopes?.includes(scope)) ? NONE : scopes;
  }

  private async namedBy(
    method: unknown,
    { name, uri, ref }: JsonObject,
    caller: Caller,
  ): Promise<Pick<Operation, 'scopes'> | undefined> {
    if (method === 'tools/call' && typeof name === 'string') return this.tools.find(name, caller);
    if (method === 'prompts/get' && typeof name === 'string') {
      return this.prompts.find(name, caller);
    }
    if (typeof uri === 'string' && RESOURCE_METHODS.has(method)) {
      return this.resources.operationOf(uri, caller);
    }
    if (method === 'completion/complete' && isRecord(ref)) {
      return typeof ref['name'] === 'string'
        ? this.prompts.find(ref['name'], caller)
        : this.resources.findTemplate(String(ref['uri']), caller);
    }
    return undefined;
  }
}

function hasPages({ tools, resources }: Catalogue): boolean {
  return (
    tools.all.some(({ ui }) => ui !== undefined) ||
    resources.all.some(({ page }) => page !== undefined)
  );
}

const NONE: readonly string[] = [];

const RESOURCE_METHODS = new Set<unknown>([
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
]);
