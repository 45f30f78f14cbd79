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
 * An optional feature. `extensions/index.ts` lists all of them, from the outermost to the
 * innermost. `rewrite` and `around` run from the first to the last. Functions that change something
 * (`tool`, `resource`, `listed`, `listedResource`, `result`, `finish`, `read`) run from the last to
 * the first.
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
   * Checks the lists of the endpoints once, when all endpoints are ready. Returns warnings to log.
   * @param options options of the module
   */
  inspect?(this: void, options: Read, endpoints: readonly ListingEndpoint[]): readonly string[];
  /**
   * Creates the extension for an endpoint for which its option is enabled. Called once, at startup.
   * Returns undefined if the endpoint does not need the extension.
   * @throws McpError if the options conflict with what the endpoint publishes
   */
  create(
    options: Read,
    endpoint: ExtendedEndpoint<Data, ResourceData>,
  ): Promise<EndpointExtension<Data, ResourceData> | undefined>;
}

/** What an endpoint publishes to clients of MCP 2026-07-28. */
interface ListingEndpoint {
  /** Name of the server. */
  readonly name: string;
  readonly instructions: string | undefined;
  readonly tools: readonly ListedTool[];
}

/** The parts of an endpoint that an extension can use. */
export interface ExtendedEndpoint<Data = unknown, ResourceData = unknown> {
  readonly path: string;
  readonly tools: PublishedList<Tool>;
  /** Data that `tool` returned, for the tools of the endpoint. */
  readonly data: ReadonlyMap<Tool, Data>;
  /** Data that `resource` returned, for the resources of the endpoint. */
  readonly resourceData: ReadonlyMap<Resource, ResourceData>;
  /**
   * Names of tools that the option may contain. If the option is set for the module, these are the
   * tools of all endpoints.
   */
  readonly toolNames: readonly string[];
  /** Path of the option, for error messages. */
  readonly place: Place;
  /** Subscribers receive the call records of all endpoints. */
  readonly calls: CallObservers;
  /** Timeout of a call in milliseconds: `limits.timeoutMs`. */
  readonly timeoutMs: number;
  /**
   * The option that may give callers different lists: `visible` or `auth`. Undefined: all callers
   * get the same lists.
   */
  readonly perCaller: 'visible' | 'auth' | undefined;
  /**
   * Returns true if a route or an earlier extension has a tool, prompt or resource with this name
   * or URI.
   */
  isTaken(this: void, list: ListName, key: string): boolean;
  /** Call this when a list of the extension has changed. Listening clients are notified. */
  changed(this: void, list: ListName): void;
  /** Returns the key of a sender. Use it to return stored data only to the same sender. */
  keyOf(this: void, caller: Caller): string;
}

/** The behavior of an extension at an endpoint. */
export interface EndpointExtension<Data = unknown, ResourceData = unknown> {
  /** The first protocol version that has the capabilities and methods. @default all versions */
  readonly since?: '2026-07-28';
  /** Capabilities to declare. */
  readonly capabilities?: Partial<McpCapabilities>;
  /** The methods that the extension adds or wraps, by name. */
  readonly methods?: Readonly<Record<string, AddedMethod>>;
  /** Finds a resource that no route serves. */
  resource?(this: void, uri: string, caller: Caller): Awaitable<LocalResource | undefined>;
  /**
   * Tools that the server runs itself. In lists, they come after the tools of routes. This list and
   * the next three are read again after `ExtendedEndpoint.changed()`.
   */
  readonly tools?: readonly LocalTool[];
  /** Prompts that the server provides itself. */
  readonly prompts?: readonly LocalPrompt[];
  /** Entries for `resources/list`. `resource` must find them. */
  readonly resources?: readonly AddedEntry[];
  /** Entries for `resources/templates/list`. */
  readonly templates?: readonly LocalTemplate[];
  /**
   * A sentence that the error about an unknown tool contains. It says how to find the name of a
   * tool. No full stop at the end.
   */
  readonly unknownTool?: string;
  /** Returns true for clients for which the extension changes the entries of lists. */
  clientKind?(this: void, capabilities: Peer['capabilities']): boolean;
  /**
   * Changes the entry of a tool in `tools/list`. Called at startup, once for each kind of client.
   * @param entry result of the previous extension. Undefined if the tool is not in the list
   */
  listed?(
    this: void,
    tool: Tool,
    entry: ListEntry | undefined,
    listing: Listing,
  ): ListEntry | undefined;
  /** Changes the entry of a resource, like `listed`. */
  listedResource?(
    this: void,
    resource: Resource,
    entry: ListEntry | undefined,
    listing: Listing,
  ): ListEntry | undefined;
  /**
   * Returns a request to handle instead of the client's request. Returns undefined to keep the
   * client's request.
   */
  rewrite?(
    this: void,
    request: JsonRpcRequest,
    headers: IncomingHttpHeaders,
  ): RewrittenRequest | undefined;
  /**
   * Wraps the calls of a tool for which `tool` returned data. Runs after the scopes are checked and
   * before the arguments are validated. Called at startup.
   */
  around?(this: void, tool: Tool, data: Data): AroundCall;
  /**
   * Changes the results of a tool for which `tool` returned data. Declared structured content is
   * added afterwards if the result has none. Called at startup.
   */
  result?(this: void, tool: Tool, data: Data): ChangeResult | undefined;
  /** Changes the same results after their structured content was added. Called at startup. */
  finish?(this: void, tool: Tool, data: Data): ChangeResult | undefined;
  /** Changes the content of a resource for which `resource` returned data. Called at startup. */
  read?(this: void, resource: Resource, data: ResourceData): ChangeRead;
  /**
   * Cleans every string that is sent: bodies of routes, and messages in JSON. Only one extension
   * may define it.
   */
  clean?(this: void, text: string): string;
  /** How long clients may cache lists. Only one extension may define it. */
  readonly listCaching?: ListCaching;
  /** Adds requests and sessions to traces. Only one extension may define it. */
  readonly tracer?: CallTracer;
  /**
   * Called when the server shuts down. No new requests arrive afterwards, but some may still be
   * running.
   */
  close?(this: void): Promise<void>;
}

/** The variant of a list that an entry belongs to. */
export interface Listing {
  /** True if `clientKind` returned true for the clients. */
  readonly isKind: boolean;
  /** The entry without changes of extensions. */
  readonly whole: ListEntry;
}

/** @throws RequestFault if the resource cannot be read */
export type ChangeRead = (result: ReadResult) => ReadResult;

/** A request for a method that an extension adds. */
interface MethodRequest extends Peer {
  readonly params: JsonObject;
}

/** A method that an extension adds or wraps. */
export interface AddedMethod {
  /** The schema of the parameters. Undefined: the schema of the wrapped method. */
  readonly params?: JsonSchema;
  /** The parameter that the header `Mcp-Name` repeats. */
  readonly named?: string;
  /**
   * Runs the method.
   * @param next runs the server's own method of the same name
   * @throws RequestFault, or rejects with it. This error is sent to the client
   */
  run(this: void, request: MethodRequest, next: () => Promise<MethodAnswer>): Promise<MethodAnswer>;
}

/** The extension of an endpoint, with its name in the list. */
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

/** The response to a call of a tool. */
export type CallAnswer = Answer<ToolResult> | TypedAnswer;

/** Ends a call with an error result. The message is written for the model. */
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
 * Changes the result of a route.
 * @param call contains the arguments that the client sent
 */
export type ChangeResult = (
  result: ToolResult,
  response: CallResponse,
  call: ToolCall,
) => ToolResult;

/** A call of a tool. To change the call, pass a copy to `next`. */
export interface ToolCall {
  readonly args: JsonObject;
  readonly peer: Peer;
  /** Changes to the route's request. */
  readonly route?: Omit<RouteRun, 'sent'>;
}

export interface RewrittenRequest {
  readonly request: JsonRpcRequest;
  /** Name of the tool that the client called, for call records and headers. */
  readonly via: string;
}
