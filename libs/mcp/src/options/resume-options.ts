import { count, type OptionTable } from '@fledge-internal/options';

/** Options for resuming event streams after a lost connection. For clients of MCP 2025-11-25. */
export interface McpResumeOptions {
  /**
   * Milliseconds after which a client reconnects. The server sends this value to clients.
   * @default 1_000
   */
  readonly retryMs?: number;
  /** Milliseconds for which an event is stored. @default 60_000 */
  readonly keepMs?: number;
  /**
   * Maximum number of stored events of a session. The oldest events are removed first.
   * @default 1_000
   */
  readonly maxEvents?: number;
  /**
   * Maximum bytes of stored events of a session. The oldest events are removed first.
   * @default 1_048_576
   */
  readonly maxBytes?: number;
}

/** The resume options with all defaults. */
export type ResolvedResume = Required<McpResumeOptions>;

export const RESUME = {
  retryMs: count.default(1_000),
  keepMs: count.default(60_000),
  maxEvents: count.default(1_000),
  maxBytes: count.default(1_048_576),
} satisfies OptionTable<McpResumeOptions>;
