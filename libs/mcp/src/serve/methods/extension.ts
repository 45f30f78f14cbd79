import type { IncomingHttpHeaders } from 'node:http';
import type { CallerTenants, CallObservers } from '@fledge/core/packages';
import type { Place } from '@fledge-internal/options';
import type { Caller } from '../call/caller.js';
import type { RouteRun } from '../call/dispatcher.js';
import type { Peer } from '../call/peer.js';
import type { PublishingExtension } from '../../publish/catalogue/publishing-extension.js';
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
import type { Selection } from '../../options/endpoint-defaults.js';
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

export const MCP_EXTENSIONS = Symbol('MCP_EXTENSIONS');

/**
 * An optional feature. `extensions/index.ts` contains all extensions, from the outermost to the
 * innermost. `rewrite` and `around` are called in this order. The functions that change something
 * are called in the reverse order: `tool`, `resource`, `listed`, `listedResource`, `result`,
 * `finish` and `read`.
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
   * Checks the listed tools of the endpoints, except the tools of search. Called once, when all
   * endpoints are ready. Returns warnings for the log.
   * @param options options of the module
   */
  inspect?(this: void, options: Read, endpoints: readonly ListingEndpoint[]): readonly string[];
  /**
   * Creates the extension for one endpoint. Called at startup, once for each endpoint that enables
   * the option. Returns undefined if the endpoint does not need the extension.
   * @throws McpError if the options conflict with what the endpoint publishes
   */
  create(
    options: Read,
    endpoint: ExtendedEndpoint<Data, ResourceData>,
  ): Promise<EndpointExtension<Data, ResourceData> | undefined>;
}

/** The parts of an endpoint that clients of MCP 2026-07-28 receive. */
interface ListingEndpoint {
  /** Name of the server. */
  readonly name: string;
  readonly instructions: string | undefined;
  readonly tools: readonly ListedTool[];
}

export interface ExtendedEndpoint<Data = unknown, ResourceData = unknown> {
  readonly path: string;
  /** Selects what the endpoint publishes: its options `tags`, `include` and `exclude`. */
  readonly selection: Selection;
  readonly tools: PublishedList<Tool>;
  /** Data that the function `tool` returned, by tool. */
  readonly data: ReadonlyMap<Tool, Data>;
  /** Data that the function `resource` returned, by resource. */
  readonly resourceData: ReadonlyMap<Resource, ResourceData>;
  /**
   * Tool names that the option may contain. If the option is set for the module, this list has the
   * tools of all endpoints.
   */
  readonly toolNames: readonly string[];
  /** Path of the option, for error messages. */
  readonly place: Place;
  /** Call records of all endpoints. Subscribe to receive them. */
  readonly calls: CallObservers;
  /** Runs code for the tenant of a caller. Pass the caller's `origin`. */
  readonly tenants: Pick<CallerTenants, 'run'>;
  /** Timeout of a call in milliseconds: `limits.timeoutMs`. */
  readonly timeoutMs: number;
  /**
   * The option that makes lists differ between callers: `visible` or `auth`. Undefined: all callers
   * receive the same lists.
   */
  readonly perCaller: 'visible' | 'auth' | undefined;
  /**
   * Returns true if a route or another extension already has this name or URI. At startup, checks
   * only earlier extensions.
   */
  isTaken(this: void, list: ListName, key: string): boolean;
  /** Notifies listening clients. Call this function when a list of the extension has changed. */
  changed(this: void, list: ListName): void;
}

export interface EndpointExtension<Data = unknown, ResourceData = unknown> {
  /** First protocol version for which the capabilities and methods exist. @default all versions */
  readonly since?: '2026-07-28';
  readonly capabilities?: Partial<McpCapabilities>;
  /** The methods that the extension adds or wraps, by name. */
  readonly methods?: Readonly<Record<string, AddedMethod>>;
  /** Finds a resource of the extension. */
  resource?(this: void, uri: string, caller: Caller): Awaitable<LocalResource | undefined>;
  /**
   * Tools that the server runs itself. In `tools/list`, these tools come after the tools of routes.
   * `tools`, `prompts`, `resources` and `templates` are read again after
   * `ExtendedEndpoint.changed()`.
   */
  readonly tools?: readonly LocalTool[];
  /** OAuth scopes that the items of the extension require. */
  readonly scopes?: readonly string[];
  readonly prompts?: readonly LocalPrompt[];
  /** Entries for `resources/list`. The function `resource` must find each of them. */
  readonly resources?: readonly AddedEntry[];
  /** Entries for `resources/templates/list`. */
  readonly templates?: readonly LocalTemplate[];
  /**
   * Sentence that is added to the error for an unknown tool. The sentence says how to find tool
   * names. Do not end the sentence with a full stop.
   */
  readonly unknownTool?: string;
  /** Returns true if the extension changes list entries for a client with these capabilities. */
  clientKind?(this: void, capabilities: Peer['capabilities']): boolean;
  /**
   * Changes the entry of a tool in `tools/list`. Called at startup, once for each kind of client.
   * @param entry entry returned by the previous extension. Undefined if the list does not contain
   * the tool
   */
  listed?(
    this: void,
    tool: Tool,
    entry: ListEntry | undefined,
    listing: Listing,
  ): ListEntry | undefined;
  /** Changes the entry of a resource. Otherwise the same as `listed`. */
  listedResource?(
    this: void,
    resource: Resource,
    entry: ListEntry | undefined,
    listing: Listing,
  ): ListEntry | undefined;
  /** Returns a replacement for the client's request, or undefined to keep it. */
  rewrite?(
    this: void,
    request: JsonRpcRequest,
    headers: IncomingHttpHeaders,
  ): RewrittenRequest | undefined;
  /**
   * Returns a wrapper for the calls of a tool, if the function `tool` returned data for the tool.
   * The wrapper runs after the scope check and before the arguments are validated. `around` itself
   * is called at startup.
   */
  around?(this: void, tool: Tool, data: Data): AroundCall;
  /**
   * Returns a function that changes the results of a tool, if the function `tool` returned data for
   * the tool. After this change, structured content is added, unless the result already has
   * structured content. `result` itself is called at startup.
   */
  result?(this: void, tool: Tool, data: Data): ChangeResult | undefined;
  /** Same as `result`, but the change is made after structured content was added. */
  finish?(this: void, tool: Tool, data: Data): ChangeResult | undefined;
  /**
   * Returns a function that changes the content of a resource, if the function `resource` returned
   * data for the resource. `read` itself is called at startup.
   */
  read?(this: void, resource: Resource, data: ResourceData): ChangeRead;
  /**
   * Removes unwanted characters from a string. Called for every string that is sent: for response
   * bodies of routes, and for JSON messages. Only one extension may define this.
   */
  clean?(this: void, text: string): string;
  /** The cache settings of lists. Only one extension may define this. */
  readonly listCaching?: ListCaching;
  /** Adds requests and sessions to traces. Only one extension may define this. */
  readonly tracer?: CallTracer;
  /**
   * Longest timeout in milliseconds of calls that the extension runs without a route. A shutdown
   * waits for these calls.
   */
  readonly timeoutMs?: number;
  /** Called when the shutdown begins. No new requests arrive, but earlier ones still run. */
  stop?(this: void): Promise<void>;
  /** Called when the running calls have ended, or if the startup fails. */
  close?(this: void): Promise<void>;
}

/** The kind of clients for which a list entry is created. */
export interface Listing {
  /** True for clients for which `clientKind` returned true. */
  readonly isKind: boolean;
  /** The original entry, without changes by extensions. */
  readonly whole: ListEntry;
}

/** @throws RequestFault if the resource cannot be read */
export type ChangeRead = (result: ReadResult) => ReadResult;

interface MethodRequest extends Peer {
  readonly params: JsonObject;
}

/** A method that an extension adds or wraps. */
export interface AddedMethod {
  /** Schema of the parameters. By default, the schema of the wrapped method. */
  readonly params?: JsonSchema;
  /** The parameter whose value is also in the header `Mcp-Name`. */
  readonly named?: string;
  /**
   * @param next runs the server's method that this method wraps
   * @param requireScopes throws RefusalFault if the caller lacks one of the scopes
   * @throws RequestFault, or rejects with RequestFault. The client receives this error
   */
  run(
    this: void,
    request: MethodRequest,
    next: () => Promise<MethodAnswer>,
    requireScopes: RequireScopes,
  ): Promise<MethodAnswer>;
}

/** Does nothing over stdio, which has no tokens. */
export type RequireScopes = (scopes: readonly string[]) => void;

export interface NamedExtension extends EndpointExtension {
  readonly name: string;
}

/**
 * @throws CallFault if the call should return an error result
 * @throws RequestFault if the request should be rejected
 */
export type AroundCall = (call: ToolCall, next: RunCall) => ReturnType<RunCall>;

export type RunCall = (call: ToolCall) => Promise<CallAnswer>;

export type CallAnswer = Answer<ToolResult> | TypedAnswer;

/** Ends a call with an error result. The model reads the message. */
export class CallFault extends Error {
  /** @param meta `_meta` of the result. Programs can read this field */
  constructor(
    message: string,
    readonly meta?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

export class ArgumentsFault extends CallFault {}

/** @param call contains the arguments as the client sent them */
export type ChangeResult = (
  result: ToolResult,
  response: CallResponse,
  call: ToolCall,
) => ToolResult;

/** A call of a tool. To change the call, pass a copy to `next`. */
export interface ToolCall {
  readonly args: JsonObject;
  /** The arguments as the client sent them. Extensions remove their own arguments from `args`. */
  readonly sent: JsonObject;
  readonly peer: Peer;
  /** Changes to the route's request. */
  readonly route?: Omit<RouteRun, 'sent'>;
  /**
   * Registers a call that continues if the client disconnects. If the call is a task or becomes a
   * task, the end of the task aborts the call. Undefined if the call cannot become a task.
   */
  readonly startedForTask?: Peer['started'];
}

export interface RewrittenRequest {
  readonly request: JsonRpcRequest;
  /** Name of the tool that the client originally called. Used for call records and headers. */
  readonly via: string;
}
