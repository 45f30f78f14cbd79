import { count, type OptionTable } from '@fledge-internal/options';
import { milliseconds } from './option-rules.js';

export interface McpLimitOptions {
  /**
   * Maximum size of a JSON-RPC message in bytes. The response to a larger message is HTTP 413.
   * Over stdio, this option has no effect. The limit there is 10 MiB, and a longer line ends the
   * process.
   * @default 4_194_304
   */
  readonly requestBytes?: number;
  /**
   * Maximum size of a response body in bytes. If the result of a tool is larger, text is cut and a
   * note is added, and binary content is omitted. If the result of a resource or prompt is larger,
   * the call fails. A streaming route is aborted at the limit, as if its client had disconnected.
   * Does not apply to tools, resources and prompts of `servers`.
   * @default 1_048_576
   */
  readonly responseBytes?: number;
  /** Maximum duration of a call in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /**
   * Maximum number of items in one page of a list, such as `tools/list`. Clients request the next
   * page with `nextCursor`.
   * @default no maximum, because some clients read only the first page
   */
  readonly listItems?: number;
}

export const LIMITS = {
  requestBytes: count.default(4_194_304),
  responseBytes: count.default(1_048_576),
  timeoutMs: milliseconds.default(30_000),
  listItems: count.default(Number.MAX_SAFE_INTEGER),
} satisfies OptionTable<McpLimitOptions>;
