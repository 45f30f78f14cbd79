import type { CallerTenants, CallObservers } from '@fledge/core/packages';
import type { Caller } from '../call/caller.js';
import type { HeaderFilter } from '../call/forwarded-headers.js';
import type { Dispatcher } from '../call/dispatcher.js';
import type { Catalogue } from '../../publish/catalogue/catalogue.js';
import type { Peer } from '../call/peer.js';
import type { Awaitable, ListForm, PublishedList } from '../../publish/catalogue/published-list.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import type { ArgumentValidatorCompiler } from '../../publish/arguments/argument-validator.js';
import { Completer } from './completer.js';
import { CallWatches } from '../protocol/call-watches.js';
import type { ClientMessage, JsonObject } from '../protocol/json-rpc.js';
import { CLOSING_GRACE_MS, RunningRequests } from '../protocol/running-requests.js';
import { closeExtensions } from './create-extensions.js';
import { cleanerIn, listEveryTool } from './extended-list.js';
import type { AddedMethod, EndpointExtension, NamedExtension } from './extension.js';
import { type ListCaching, NOT_CACHED } from './list-caching.js';
import type { ListName } from './local-items.js';
import type { McpCapabilities } from './capabilities.js';
import { type AnswerCheck, answerCheck } from './params-check.js';
import { PromptGetter } from './prompt-getter.js';
import { ResourceReader } from './resource-reader.js';
import type { ClientRequest, Target } from './client-request.js';
import { ToolCaller } from './tool-caller.js';

/** Handles requests. All protocol versions and transports use this class. */
export class Operations {
  readonly tools: ToolCaller;
  readonly resources: ResourceReader;
  readonly prompts: PromptGetter;
  readonly completer: Completer;
  /** Returns the problem if the client's answer to a question is invalid. */
  readonly answerFault: AnswerCheck;
  /** Selects the headers of a client's request to forward to routes. */
  readonly pickHeaders: HeaderFilter;
  /** Finds the tenant of a client's request. */
  readonly tenants: CallerTenants;
  readonly watches: CallWatches;
  /** Removes unwanted characters from sent messages. Undefined: messages are sent unchanged. */
  readonly clean: EndpointExtension['clean'];
  /** Created by the first request, because most clients never request this list. */
  private allTools: PublishedList<Tool> | undefined;
  private readonly listeners: ((list: ListName) => void)[] = [];
  private readonly kinds: readonly NamedExtension[];
  private readonly rewriters: readonly NonNullable<EndpointExtension['rewrite']>[];
  /** All scopes that the published operations and the items of extensions require. */
  readonly scopes: readonly string[];
  /** Requests whose methods run. A call may continue although its client has left. */
  readonly running = new RunningRequests<ClientRequest, true>();
  /** Longest timeout of a call in milliseconds. Paused while a call waits for the client. */
  private readonly longestCallMs: number;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly catalogue: Catalogue,
    dispatcher: Dispatcher,
    readonly validatorOf: ArgumentValidatorCompiler,
    private readonly extensions: readonly NamedExtension[],
    observers: CallObservers,
  ) {
    const { operations } = catalogue;
    this.tools = new ToolCaller(catalogue.tools, dispatcher, validatorOf, extensions);
    this.kinds = extensions.filter(({ clientKind }) => clientKind !== undefined);
    this.rewriters = extensions.flatMap(({ rewrite }) => rewrite ?? []);
    this.resources = new ResourceReader(catalogue, dispatcher, extensions);
    this.prompts = new PromptGetter(catalogue.prompts, dispatcher, extensions);
    this.clean = cleanerIn(extensions);
    this.completer = new Completer(dispatcher);
    this.answerFault = answerCheck(validatorOf);
    this.pickHeaders = dispatcher.pickHeaders;
    this.tenants = dispatcher.tenants;
    this.watches = new CallWatches(observers, extensions.find(({ tracer }) => tracer)?.tracer);
    const scoped = [...operations, ...extensions];
    this.scopes = [...new Set(scoped.flatMap(({ scopes = [] }) => scopes))];
    const timeouts = [...operations, ...extensions].map(({ timeoutMs = 0 }) => timeoutMs);
    this.longestCallMs = Math.max(0, ...timeouts);
  }

  capabilitiesOf(revision: string): McpCapabilities {
    const { resources, prompts, catalogue } = this;
    const added = this.extensionsOf(revision).map(({ capabilities }) => capabilities);
    const extensions = Object.assign({}, ...added.map((each) => each?.extensions)) as NonNullable<
      McpCapabilities['extensions']
    >;
    const all = Object.assign({}, ...added) as Partial<McpCapabilities>;
    return {
      tools: this.catalogue.tools.isFiltered ? { listChanged: true } : {},
      logging: {},
      ...all,
      ...(!resources.isEmpty && { resources: { ...all.resources, subscribe: true } }),
      ...(!prompts.isEmpty && { prompts: { ...all.prompts } }),
      ...(catalogue.operations.some(({ kind }) => kind === 'completion') && { completions: {} }),
      ...(Object.keys(extensions).length > 0 && { extensions }),
    };
  }

  /** Includes the tools that extensions leave out of `tools/list`. */
  get everyTool(): PublishedList<Tool> {
    return (this.allTools ??= listEveryTool(this.catalogue.tools, this.extensions));
  }

  /** If lists differ between clients, the cache scope is `private`. */
  get listCaching(): ListCaching {
    const given = this.extensions.find(({ listCaching }) => listCaching)?.listCaching;
    if (given === undefined) return NOT_CACHED;
    return this.kinds.length === 0 ? given : { ...given, cacheScope: 'private' };
  }

  /** Returns the variant of the stored lists that a client receives. */
  listFormFor({ structured, capabilities }: Pick<Peer, 'structured' | 'capabilities'>): ListForm {
    if (this.kinds.length === 0) return { structured, kinds: [] };
    const kinds = this.kinds.flatMap(({ name, clientKind }) =>
      clientKind?.(capabilities) ? name : [],
    );
    return { structured, kinds };
  }

  addedMethods(revision: string): ReadonlyMap<string, AddedMethod> {
    return new Map(
      this.extensionsOf(revision).flatMap(({ methods = {} }) => Object.entries(methods)),
    );
  }

  /** Notifies listening clients that the tool list may have changed. */
  toolsChanged(): void {
    if (this.catalogue.tools.isFiltered) this.changed('tools');
  }

  /** Reads a list from the extensions again, and notifies listening clients. */
  changed(list: ListName): void {
    this[list].refresh();
    this.allTools = undefined;
    for (const listener of this.listeners) listener(list);
  }

  onChange(listener: (list: ListName) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Closes the extensions when the running calls have ended, because the calls use their stores.
   * Call this when the server no longer accepts requests. Only the first call has an effect.
   * @param drain waits until the responses are written, at most the given number of milliseconds
   */
  close(drain?: (limitMs: number) => Promise<unknown> | undefined): Promise<void> {
    this.closing ??= this.closeAfter(drain);
    return this.closing;
  }

  private async closeAfter(drain: Parameters<Operations['close']>[0]): Promise<void> {
    const { extensions, running, watches } = this;
    const limitMs = this.longestCallMs + CLOSING_GRACE_MS;
    const stopping = extensions.flatMap(({ stop }) => stop?.() ?? []);
    try {
      await Promise.all([...stopping, drain?.(limitMs), running.none(limitMs)]);
    } finally {
      await closeExtensions(extensions);
      await watches.settled(limitMs);
    }
  }

  private extensionsOf(revision: string): readonly NamedExtension[] {
    return this.extensions.filter(({ since = revision }) => revision >= since);
  }

  /**
   * Returns the message that replaces a client's message, together with the caller. Returns
   * undefined if the message is not replaced. Visibility, scopes, validation, questions and call
   * records then apply to the tool that is really called.
   */
  rewrite(client: ClientMessage | undefined, caller: Caller): RewrittenMessage | undefined {
    if (this.rewriters.length === 0 || client?.kind !== 'request') return undefined;
    for (const rewrite of this.rewriters) {
      const rewritten = rewrite(client.message, caller.origin.headers);
      if (!rewritten) continue;
      return {
        message: { kind: 'request', message: rewritten.request },
        caller: { ...caller, via: rewritten.via },
      };
    }
    return undefined;
  }

  /** Returns undefined if the item does not exist or is hidden from the caller. */
  targetOf({ method, params, caller }: TargetRequest): Awaitable<Target | undefined> {
    const { name, uri, ref } = params;
    switch (method) {
      case 'tools/call':
        return mapped(this.tools.find(String(name), caller), (tool) => ({ kind: 'tool', tool }));
      case 'prompts/get':
        return this.prompts.find(String(name), caller);
      case 'resources/read':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.resources.find(String(uri), caller);
      case 'completion/complete': {
        const { type, name: prompt, uri: template } = ref as JsonObject;
        return type === 'ref/prompt'
          ? this.prompts.find(String(prompt), caller)
          : this.resources.findTemplate(String(template), caller);
      }
      default:
        return undefined;
    }
  }
}

interface RewrittenMessage {
  readonly message: ClientMessage;
  readonly caller: Caller;
}

/** A request whose parameters are already checked. */
interface TargetRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly caller: Caller;
}

/** Returns a promise only if `found` is a promise. */
function mapped<Found>(
  found: Awaitable<Found | undefined>,
  targetOf: (found: Found) => Target,
): Awaitable<Target | undefined> {
  if (found instanceof Promise) return found.then((each) => each && targetOf(each));
  return found && targetOf(found);
}
