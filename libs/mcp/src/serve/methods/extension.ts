import type { IncomingHttpHeaders } from 'node:http';
import type { CallObservers } from '@fledge/core/packages';
import type { Place } from '@fledge-internal/options';
import type { Caller } from '../call/caller.js';
import type { RouteRun } from '../call/dispatcher.js';
import type { Peer } from '../call/peer.js';
import type { PublishingExtension } from '../../publish/catalogue/extension.js';
import type { CallResponse } from '../call/recording.js';
import type {
  AddedEntry,
  Awaitable,
  ListEntry,
  PublishedList,
} from '../../publish/catalogue/published-list.js';
import type { Resource } from '../../publish/catalogue/resource.js';
import type { ListedTool, Tool } from '../../publish/catalogue/tool.js';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import type { JsonObject, JsonRpcRequest } from '../protocol/json-rpc.js';
import type { CallTracer } from '../observe/call-trace.js';
import type { ExtensionOption } from '../../options/extension-option.js';
import type { Answer, MethodAnswer, ReadResult, TypedAnswer } from './answer.js';
import type { McpCapabilities } from './capabilities.js';
import type {
  ListName,
  LocalPrompt,
  LocalResource,
  LocalTemplate,
  LocalTool,
} from './local-items.js';
import type { ListCaching } from './list-caching.js';
import type { ToolResult } from '../results/tool-result.js';

/** Injection token of the list of extensions. */
export const MCP_EXTENSIONS = Symbol('MCP_EXTENSIONS');

/**
 * An optional feature. `extensions/index.ts` lists all of them, from the outermost to the innermost: `rewrite` and
 * `around` run from the first to the last, all that change something (`tool`, `resource`, `listed`, `listedResource`,
 * `result`, `finish`, `read`) from the last to the first.
 */
export interface McpExtension<
  Given = never,
  Read = unknown,
  Author = never,
  Data = unknown,
  ResourceAuthor = never,
  ResourceData = unknown,
  PromptAuthor = never,
>
  extends
    ExtensionOption<Given, Read>,
    PublishingExtension<Read, Author, Data, ResourceAuthor, ResourceData, PromptAuthor> {
  readonly name: string;
  /**
   * Looks at what the endpoints list, once, when all of them are ready. Returns warnings to log.
   * @param options those of the module
   */
  inspect?(this: void, options: Read, endpoints: readonly ListingEndpoint[]): readonly string[];
  /**
   * Creates the extension for an endpoint that has its option. Called once, at startup. Undefined: the endpoint has
   * nothing that needs the extension.
   * @throws McpError if the options do not fit what the endpoint publishes
   */
  create(
    options: Read,
    endpoint: ExtendedEndpoint<Data, ResourceData>,
  ): Promise<EndpointExtension<Data, ResourceData> | undefined>;
}

/** What an endpoint tells clients of protocol version 2026-07-28. */
interface ListingEndpoint {
  /** Name of the server. */
  readonly name: string;
  readonly instructions: string | undefined;
  readonly tools: readonly ListedTool[];
}

/** What an extension sees of an endpoint. */
export interface ExtendedEndpoint<Data = unknown, ResourceData = unknown> {
  readonly path: string;
  readonly tools: PublishedList<Tool>;
  /** What `tool` returned, for the tools of the endpoint. */
  readonly data: ReadonlyMap<Tool, Data>;
  /** The same for its resources. */
  readonly resourceData: ReadonlyMap<Resource, ResourceData>;
  /** Names that the option may contain: those of all endpoints, if it is the option of the module. */
  readonly toolNames: readonly string[];
  /** Where the option is, for messages. */
  readonly place: Place;
  /** Subscribers get the records of the calls at all endpoints. */
  readonly calls: CallObservers;
  /** Maximum milliseconds of a call: `limits.timeoutMs`. */
  readonly timeoutMs: number;
  /** The option that may give callers different lists: `visible` or `auth`. Undefined: all get the same. */
  readonly perCaller: 'visible' | 'auth' | undefined;
  /** True if a route or an extension before this one has a tool, a prompt or a resource of this name or URI. */
  isTaken(this: void, list: ListName, key: string): boolean;
  /** Call it when a list of the extension has changed. Clients that listen are told. */
  changed(this: void, list: ListName): void;
  /** Identifies the sender of a message. Use it to return something only to the sender who may get it. */
  keyOf(this: void, caller: Caller): string;
}

/** What an extension does at an endpoint. */
export interface EndpointExtension<Data = unknown, ResourceData = unknown> {
  /** The first protocol version that has the capabilities and methods. @default every version has them */
  readonly since?: '2026-07-28';
  /** Capabilities to declare. */
  readonly capabilities?: Partial<McpCapabilities>;
  /** Methods by name. */
  readonly methods?: Readonly<Record<string, AddedMethod>>;
  /** Finds a resource that no route reads. */
  resource?(this: void, uri: string, caller: Caller): Awaitable<LocalResource | undefined>;
  /**
   * Tools that the server answers itself. Lists have them after the tools of routes. This list and the next three are
   * read again after `ExtendedEndpoint.changed()`.
   */
  readonly tools?: readonly LocalTool[];
  /** Prompts that the server answers itself. */
  readonly prompts?: readonly LocalPrompt[];
  /** Entries for `resources/list`, which `resource` finds. */
  readonly resources?: readonly AddedEntry[];
  /** Entries for `resources/templates/list`. */
  readonly templates?: readonly LocalTemplate[];
  /** A sentence for the error about an unknown tool, without a full stop. It says how to find the name. */
  readonly unknownTool?: string;
  /** True for clients whose lists have other entries than those of others. */
  clientKind?(this: void, capabilities: Peer['capabilities']): boolean;
  /**
   * Changes the entry of a tool in `tools/list`. Called at startup, for clients of each kind.
   * @param entry what the extension before this one returned. Undefined if the list does not have the tool
   */
  listed?(
    this: void,
    tool: Tool,
    entry: ListEntry | undefined,
    listing: Listing,
  ): ListEntry | undefined;
  /** The same for a resource. */
  listedResource?(
    this: void,
    resource: Resource,
    entry: ListEntry | undefined,
    listing: Listing,
  ): ListEntry | undefined;
  /** Returns the request that is answered instead of one from a client, or undefined to keep that one. */
  rewrite?(
    this: void,
    request: JsonRpcRequest,
    headers: IncomingHttpHeaders,
  ): RewrittenRequest | undefined;
  /**
   * Wraps the calls of a tool for which `tool` returned data. Scopes are checked before, arguments after it. Called at
   * startup.
   */
  around?(this: void, tool: Tool, data: Data): AroundCall;
  /**
   * Changes the results of a tool for which `tool` returned data. Declared structured content is added afterwards, if
   * the result has none. Called at startup.
   */
  result?(this: void, tool: Tool, data: Data): ChangeResult | undefined;
  /** Changes the same results once they have their structured content. Called at startup. */
  finish?(this: void, tool: Tool, data: Data): ChangeResult | undefined;
  /** Changes what is read of a resource for which `resource` returned data. Called at startup. */
  read?(this: void, resource: Resource, data: ResourceData): ChangeRead;
  /** Cleans every text that is sent: bodies of routes, and messages in JSON. Only one extension may have it. */
  clean?(this: void, text: string): string;
  /** How long clients may keep lists. Only one extension may have it. */
  readonly listCaching?: ListCaching;
  /** Puts requests and sessions into traces. Only one extension may have it. */
  readonly tracer?: CallTracer;
  /** Called when the server shuts down. No new requests come from then on, and others may be running. */
  close?(this: void): Promise<void>;
}

/** For which clients an entry of a list is. */
export interface Listing {
  /** True if they are of the kind of the extension. */
  readonly isKind: boolean;
  /** The entry without extensions. */
  readonly whole: ListEntry;
}

/** @throws RequestFault if the resource cannot be read */
export type ChangeRead = (result: ReadResult) => ReadResult;

/** A request of a method that an extension adds. */
interface MethodRequest extends Peer {
  readonly params: JsonObject;
}

/** A method that an extension adds or wraps. */
export interface AddedMethod {
  /** The schema of its parameters. Undefined: that of the method that it wraps. */
  readonly params?: JsonSchema;
  /** The parameter that the header `Mcp-Name` repeats. */
  readonly named?: string;
  /**
   * @param next runs the method of the same name that the server has without the extension
   * @throws RequestFault, also by rejecting: the client gets it
   */
  run(this: void, request: MethodRequest, next: () => Promise<MethodAnswer>): Promise<MethodAnswer>;
}

/** The extension of an endpoint, and its name in the list. */
export interface NamedExtension extends EndpointExtension {
  readonly name: string;
}

/**
 * Wraps a call of a tool.
 * @param next runs the call
 * @throws CallFault to return an error result
 * @throws RequestFault to reject the request
 */
export type AroundCall = (call: ToolCall, next: RunCall) => ReturnType<RunCall>;

export type RunCall = (call: ToolCall) => Promise<CallAnswer>;

/** What a call of a tool is answered with. */
export type CallAnswer = Answer<ToolResult> | TypedAnswer;

/** Ends a call with an error result. The message is for the model. */
export class CallFault extends Error {
  /** @param meta `_meta` of the result, for programs */
  constructor(
    message: string,
    readonly meta?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/** The arguments of a call are invalid. */
export class ArgumentsFault extends CallFault {}

/**
 * Changes what a route returned.
 * @param call its arguments are those that the client sent
 */
export type ChangeResult = (
  result: ToolResult,
  response: CallResponse,
  call: ToolCall,
) => ToolResult;

/** A call of a tool. To change it, pass a copy to `next`. */
export interface ToolCall {
  readonly args: JsonObject;
  readonly peer: Peer;
  /** What is different about the request to the route. */
  readonly route?: Omit<RouteRun, 'sent'>;
}

export interface RewrittenRequest {
  readonly request: JsonRpcRequest;
  /** Name of the tool that the client called, for records and headers. */
  readonly via: string;
}
