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
 * The MCP call that a route serves: who calls, and methods to report to and ask the client. Inject it
 * anywhere, or use the parameter decorator `@McpCallInfo()`. One instance serves every request, so
 * providers stay singletons. On plain HTTP and outside requests, its values are undefined and it sends
 * nothing.
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

  /** Name and version that the client software reported. Not verified: not for access decisions. */
  abstract get client(): McpClientInfo | undefined;

  /** What `auth.validate` returned for the caller's token. Undefined if it returned true. */
  abstract get principal(): McpPrincipal | undefined;

  /** Aborts when the client cancels or disconnects, or the time-out passes. Undefined on plain HTTP. */
  abstract get signal(): AbortSignal | undefined;

  /** True if the client declared this capability. False on plain HTTP. */
  abstract supports(feature: ClientFeature): boolean;

  /**
   * Answers the client with a task, which it polls while the route goes on. For tools with
   * `@McpTool({ task: { start: 'route' } })`. Questions before it are asked in rounds of the call, and later ones by the
   * task.
   * @returns false if the client knows no tasks, or on plain HTTP: the client waits for the answer
   */
  abstract startTask(): Promise<boolean>;

  /**
   * Sends the progress of the call, if the client asked for it.
   * @param progress must increase with every notification
   * @param total value of `progress` at the end, if known
   */
  abstract progress(progress: number, total?: number, message?: string): void;

  /**
   * Sends a log message to the client, if it wants messages of that level. Does not write to the
   * application's log.
   * @param data any JSON value
   * @param logger name of the message's source
   */
  abstract log(level: LogLevel, data: unknown, logger?: string): void;

  /**
   * Closes the event stream of the call, so that a long call keeps no connection. The client connects again after
   * `sessions.resume.retryMs`, and gets what was sent meanwhile. Needs `sessions.resume`, and a client of 2025-11-25.
   * @returns false if the client cannot connect again: the stream stays open
   */
  abstract closeStream(): boolean;

  /**
   * Asks the user of the client to fill in a form. The call's time-out stops meanwhile.
   *
   * A client of 2026-07-28 sends the answer with a new request: this method throws `McpInputRequiredError`,
   * which you must not catch, and the route runs again from its start. Ask before you change data.
   *
   * @throws McpClientCapabilityError if the client cannot ask its user
   * @throws McpClientAnswerError if the answer is an error, does not match the schema, or comes too late
   * @throws ToolSchemaError if a Standard Schema cannot be converted to JSON Schema
   */
  abstract elicit<Content = Readonly<Record<string, unknown>>>(
    request: McpElicitRequest<Content>,
  ): Promise<McpElicitation<Content>>;

  /**
   * Asks the user of the client to open a page, for what must not pass through the client: passwords, payments, the login
   * at another service. The call's time-out stops until they agree. Rounds are those of `elicit`.
   *
   * @throws McpClientCapabilityError if the client cannot show pages: check `supports('elicitation.url')`
   * @throws McpClientAnswerError if the answer is an error, or comes too late
   * @throws McpOptionError if the URL is no absolute http or https URL
   */
  abstract elicitUrl(request: McpElicitUrlRequest): Promise<McpUrlElicitation>;

  /**
   * Sends messages to the client's model and returns its answer; undefined on plain HTTP. Deprecated by
   * revision 2026-07-28 (SEP-2577). Rounds, time-out and errors are those of `elicit`.
   */
  abstract sample(request: McpSampleRequest): Promise<McpSample | undefined>;

  /**
   * Asks the client for the directories and files it works in; undefined on plain HTTP. Deprecated by
   * revision 2026-07-28 (SEP-2577). Rounds, time-out and errors are those of `elicit`.
   */
  abstract listRoots(key?: string): Promise<readonly McpRoot[] | undefined>;
}
