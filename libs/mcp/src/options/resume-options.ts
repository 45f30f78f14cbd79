import { count, type OptionTable } from '@fledge-internal/options';

/** Event streams of revision 2025-11-25 that clients resume after a lost connection. */
export interface McpResumeOptions {
  /** Milliseconds after which a client connects again. Sent to the client. @default 1_000 */
  readonly retryMs?: number;
  /** Milliseconds that an event is kept. @default 60_000 */
  readonly keepMs?: number;
  /** Maximum number of events that are kept of a session. The oldest go first. @default 1_000 */
  readonly maxEvents?: number;
  /** Maximum bytes that are kept of a session. The oldest events go first. @default 1_048_576 */
  readonly maxBytes?: number;
}

/** The options of resumption after every default is applied. */
export type ResolvedResume = Required<McpResumeOptions>;

export const RESUME = {
  retryMs: count.default(1_000),
  keepMs: count.default(60_000),
  maxEvents: count.default(1_000),
  maxBytes: count.default(1_048_576),
} satisfies OptionTable<McpResumeOptions>;
