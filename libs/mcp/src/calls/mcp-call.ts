import type { McpPrincipal } from '../mcp.options.js';
import type { Operation } from '../catalogue/operation.js';
import type { ClientFeature, McpClientInfo } from '../mcp.definitions.js';
import type {
  McpElicitation,
  McpElicitRequest,
  McpRoot,
  McpSample,
  McpSampleRequest,
} from './client-input.js';
import type { LogLevel } from './peer.js';

/**
 * The MCP call a route serves: who calls, and what can be said to the client meanwhile. Inject it
 * anywhere, or take it with `@McpCallInfo()`: one instance serves every request, so providers stay
 * singletons. On plain HTTP, and outside of requests, it is inert.
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
  /** What is called: `tool`, `resource`, `prompt` or `completion`; undefined on plain HTTP. */
  abstract get kind(): Operation['kind'] | undefined;

  /** Name of the tool, the resource or the prompt; undefined on plain HTTP. */
  abstract get name(): string | undefined;

  /** The software that calls, as it introduced itself: of no weight in a decision on access. */
  abstract get client(): McpClientInfo | undefined;

  /** What `auth.validate` returned for the caller's token. */
  abstract get principal(): McpPrincipal | undefined;

  /** Fires when the caller cancels or goes away, and when the call's time is up. */
  abstract get signal(): AbortSignal | undefined;

  /** Whether the client can be asked. False on plain HTTP. */
  abstract supports(feature: ClientFeature): boolean;

  /**
   * Tells how far the call is, where the client wants to know.
   * @param progress more with every notification
   * @param total what it amounts to in the end, where that is known
   */
  abstract progress(progress: number, total?: number, message?: string): void;

  /**
   * Sends a log message to the client, where it wants messages of that level: not to the log of the
   * application.
   * @param data any JSON value
   * @param logger name of its source
   */
  abstract log(level: LogLevel, data: unknown, logger?: string): void;

  /**
   * Asks the user of the client to fill in a form. The call's time-out waits.
   *
   * A client of 2026-07-28 brings the answer with another request: the route ends here with an
   * exception, which must pass, and runs again from its start. Ask before anything is changed.
   *
   * @throws McpClientCapabilityError where the client cannot ask its user
   * @throws McpClientAnswerError where the answer does not fit the schema
   */
  abstract elicit<Content = Readonly<Record<string, unknown>>>(
    request: McpElicitRequest<Content>,
  ): Promise<McpElicitation<Content>>;

  /**
   * Asks the client's model; undefined on plain HTTP. Deprecated by revision 2026-07-28 (SEP-2577).
   * Rounds, time-out and errors are as with `elicit`.
   */
  abstract sample(request: McpSampleRequest): Promise<McpSample | undefined>;

  /**
   * Asks where the client works; undefined on plain HTTP. Deprecated by revision 2026-07-28 (SEP-2577).
   * Rounds, time-out and errors are as with `elicit`.
   */
  abstract listRoots(key?: string): Promise<readonly McpRoot[] | undefined>;
}
