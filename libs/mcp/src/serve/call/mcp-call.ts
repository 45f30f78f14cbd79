import type { McpPrincipal } from '../../options/auth-options.js';
import type { Operation } from '../../publish/catalogue/operation.js';
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
import type { LogLevel } from './peer.js';

/**
 * The MCP call that a route serves: information about the caller, and methods to report progress
 * and ask the client. Inject it anywhere, or use the parameter decorator `@McpCallInfo()`. One
 * instance serves every request, so providers stay singletons. On plain HTTP and outside requests,
 * its values are undefined and its methods send nothing.
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
  /** Kind of the call: `tool`, `resource`, `prompt` or `completion`; undefined on plain HTTP. */
  abstract get kind(): Operation['kind'] | undefined;

  /** Name of the tool, the resource or the prompt; undefined on plain HTTP. */
  abstract get name(): string | undefined;

  /**
   * Name and version reported by the client. Not verified, so do not use them for access decisions.
   */
  abstract get client(): McpClientInfo | undefined;

  /**
   * Result of `auth.validate` for the caller's token. Undefined if `auth.validate` returned true.
   */
  abstract get principal(): McpPrincipal | undefined;

  /**
   * Aborts when the client cancels or disconnects, or when the call times out. Undefined on plain
   * HTTP.
   */
  abstract get signal(): AbortSignal | undefined;

  /** Returns true if the client declared this capability. Returns false on plain HTTP. */
  abstract supports(feature: ClientFeature): boolean;

  /**
   * Returns a task to the client, which polls it while the route continues. For tools with
   * `@McpTool({ task: { start: 'route' } })`. Questions that the route asks before this are part of
   * the call. Later questions are sent through the task.
   * @returns false on plain HTTP or if the client does not support tasks: the client waits for the
   * result
   */
  abstract startTask(): Promise<boolean>;

  /**
   * Sends the progress of the call, if the client requested it.
   * @param progress must increase with every notification
   * @param total value of `progress` at the end, if known
   */
  abstract progress(progress: number, total?: number, message?: string): void;

  /**
   * Sends a log message to the client, if the client wants messages of that level. Does not write
   * to the application's log.
   * @param data any JSON value
   * @param logger name of the message's source
   */
  abstract log(level: LogLevel, data: unknown, logger?: string): void;

  /**
   * Closes the event stream of the call, so a long call does not keep a connection open. The client
   * reconnects after `sessions.resume.retryMs` and then receives all messages that were sent while
   * it was disconnected. Requires `sessions.resume` and a client of MCP 2025-11-25.
   * @returns false if the client cannot reconnect: the stream stays open
   */
  abstract closeStream(): boolean;

  /**
   * Asks the user of the client to fill in a form. The timeout of the call stops while the user
   * answers.
   *
   * A client of MCP 2026-07-28 sends the answer with a new request. This method then throws
   * `McpInputRequiredError`, which you must not catch, and the route runs again from the start. So
   * ask before you change data.
   *
   * @throws McpClientCapabilityError if the client cannot ask its user
   * @throws McpClientAnswerError if the answer is an error, does not match the schema, or comes too
   * late
   * @throws ToolSchemaError if a Standard Schema cannot be converted to JSON Schema
   */
  abstract elicit<Content = Readonly<Record<string, unknown>>>(
    request: McpElicitRequest<Content>,
  ): Promise<McpElicitation<Content>>;

  /**
   * Asks the user of the client to open a page. Use it for data that must not pass through the
   * client: passwords, payments, or logging in to another service. The timeout of the call stops
   * until the user agrees. As with `elicit`, the route may run again.
   *
   * @throws McpClientCapabilityError if the client cannot show pages: check
   * `supports('elicitation.url')`
   * @throws McpClientAnswerError if the answer is an error, or comes too late
   * @throws McpOptionError if the URL is not an absolute http or https URL
   */
  abstract elicitUrl(request: McpElicitUrlRequest): Promise<McpUrlElicitation>;

  /**
   * Sends messages to the client's model and returns its response. Returns undefined on plain HTTP.
   * Deprecated in MCP 2026-07-28 (SEP-2577). The timeout stops, errors are thrown and the route may
   * run again as with `elicit`.
   */
  abstract sample(request: McpSampleRequest): Promise<McpSample | undefined>;

  /**
   * Asks the client for the directories and files that it works in. Returns undefined on plain
   * HTTP. Deprecated in MCP 2026-07-28 (SEP-2577). The timeout stops, errors are thrown and the
   * route may run again as with `elicit`.
   */
  abstract listRoots(key?: string): Promise<readonly McpRoot[] | undefined>;
}
