import { count, type OptionTable } from '@fledge-internal/options';

export interface McpLimitOptions {
  /** Maximum size of a JSON-RPC message in bytes. A larger one gets HTTP 413. @default 4_194_304 */
  readonly requestBytes?: number;
  /**
   * Maximum bytes of a response body that the server keeps for a result. A longer text is cut, with a note, and longer binary
   * content is left out of a tool result. For resources and prompts a longer body is an error. A route that streams its
   * response is stopped at the limit, as if its client had disconnected.
   * @default 1_048_576
   */
  readonly responseBytes?: number;
  /** Maximum duration of a call in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /**
   * Maximum number of items in the result of a list method. Clients read the others with `nextCursor`.
   * @default no maximum: some clients read the first page only
   */
  readonly listItems?: number;
}

export const LIMITS = {
  requestBytes: count.default(4_194_304),
  responseBytes: count.default(1_048_576),
  timeoutMs: count.default(30_000),
  listItems: count.default(Number.MAX_SAFE_INTEGER),
} satisfies OptionTable<McpLimitOptions>;
