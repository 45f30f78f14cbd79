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
 * the values are undefined and the methods send nothing.
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
  /** Kind of the call: `tool`, `resource`, `prompt` or `completion`. Undefined on plain HTTP. */
  abstract get kind(): Operation['kind'] | undefined;

  /** Name of the called tool, resource or prompt. Undefined on plain HTTP. */
  abstract get name(): string | undefined;

  /**
   * Name and version that the client reports about itself. The values are not verified, so do not
   * use them for access decisions.
   */
  abstract get client(): McpClientInfo | undefined;

  /**
   * Result of `auth.validate` for the caller's token. Undefined if `auth.validate` returned true.
   */
  abstract get principal(): McpPrincipal | undefined;

  /**
   * Aborts if the client cancels, if the client disconnects, or if the call times out. Undefined on
   * plain HTTP.
   */
  abstract get signal(): AbortSignal | undefined;

  /** Returns true if the client declared the capability. Returns false on plain HTTP. */
  abstract supports(feature: ClientFeature): boolean;

  /**
   * Returns a task to the client. The client polls the task while the route continues. Requires
   * `@McpTool({ task: { start: 'route' } })`. Questions before `startTask()` are part of the tool
   * call. Later questions are sent through the task.
   * @returns false on plain HTTP, or if the client does not support tasks. The client then waits
   * for the result
   */
  abstract startTask(): Promise<boolean>;

  /**
   * Reports the progress of the call. Has no effect if the client did not request progress.
   * @param progress must increase with every notification
   * @param total value of `progress` at the end, if known
   */
  abstract progress(progress: number, total?: number, message?: string): void;

  /**
   * Sends a log message to the client, unless the level is below the client's log level. Does not
   * write to the application's log.
   * @param data any JSON value
   * @param logger name of the component that logs
   */
  abstract log(level: LogLevel, data: unknown, logger?: string): void;

  /**
   * Closes the event stream of the call, so a long call does not need an open connection. The
   * client reconnects after `sessions.resume.retryMs`. The client then receives all messages that
   * it missed. Requires the option `sessions.resume` and a client of MCP 2025-11-25.
   * @returns false if the client cannot reconnect. The stream then stays open
   */
  abstract closeStream(): boolean;

  /**
   * Asks the user of the client to fill in a form. The timeout of the call is paused until the user
   * answers.
   *
   * A client of MCP 2026-07-28 sends the answer with a new request. For such a client, this method
   * first throws `McpInputRequiredError`. When the answer arrives, the route runs again from the
   * start, and this method returns the answer. Do not catch the error, and ask before you change
   * data.
   *
   * @throws McpClientCapabilityError if the client cannot ask its user
   * @throws McpClientAnswerError if the answer is an error, if the answer does not match the
   * schema, or if the answer comes too late
   * @throws ToolSchemaError if a Standard Schema cannot be converted to JSON Schema
   */
  abstract elicit<Content = Readonly<Record<string, unknown>>>(
    request: McpElicitRequest<Content>,
  ): Promise<McpElicitation<Content>>;

  /**
   * Asks the user of the client to open a page. Use this for data that must not pass through the
   * client, such as passwords, payments, or a login at another service. The timeout of the call is
   * paused until the user agrees. The route may run again, as with `elicit()`.
   *
   * @throws McpClientCapabilityError if the client cannot show pages: check
   * `supports('elicitation.url')`
   * @throws McpClientAnswerError if the answer is an error, or if the answer comes too late
   * @throws McpOptionError if the URL is not an absolute http or https URL
   */
  abstract elicitUrl(request: McpElicitUrlRequest): Promise<McpUrlElicitation>;

  /**
   * Sends messages to the client's language model and returns the model's response. Returns
   * undefined on plain HTTP. Deprecated in MCP 2026-07-28 (SEP-2577). The timeout, the errors and a
   * second run of the route are the same as with `elicit()`.
   */
  abstract sample(request: McpSampleRequest): Promise<McpSample | undefined>;

  /**
   * Asks the client for the directories and files in which it works. Returns undefined on plain
   * HTTP. Deprecated in MCP 2026-07-28 (SEP-2577). The timeout, the errors and a second run of the
   * route are the same as with `elicit()`.
   */
  abstract listRoots(key?: string): Promise<readonly McpRoot[] | undefined>;
}
