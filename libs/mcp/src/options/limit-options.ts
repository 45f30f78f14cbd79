import { count, type OptionTable } from '@fledge-internal/options';

export interface McpLimitOptions {
  /**
   * Maximum size of a JSON-RPC message in bytes. Larger messages get HTTP 413. @default 4_194_304
   */
  readonly requestBytes?: number;
  /**
   * Maximum bytes of a response body that the server reads for a result. In a tool result, longer
   * text is cut and a note is added, and larger binary content is omitted. For a resource or
   * prompt, a larger body is an error. A streaming route is aborted at the limit, as if its client
   * had disconnected.
   * @default 1_048_576
   */
  readonly responseBytes?: number;
  /** Maximum duration of a call in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /**
   * Maximum number of items in one page of a list. Clients read the next page with `nextCursor`.
   * @default no maximum, because some clients read only the first page
   */
  readonly listItems?: number;
}

export const LIMITS = {
  requestBytes: count.default(4_194_304),
  responseBytes: count.default(1_048_576),
  timeoutMs: count.default(30_000),
  listItems: count.default(Number.MAX_SAFE_INTEGER),
} satisfies OptionTable<McpLimitOptions>;
