import { count, feature, kind, type OptionTable } from '@fledge-internal/options';
import { type McpResumeOptions, RESUME } from './resume-options.js';
import type { McpSessionStore } from './session-store.js';

/** Sessions of clients that use MCP 2024-10-07 to 2025-11-25. */
export interface McpSessionOptions {
  /** Maximum number of open sessions, at least 1. @default 1 */
  readonly max?: number;
  /**
   * If a new client needs a slot, a session is closed that has had no open stream and no running
   * request for this many milliseconds. Needed because many clients exit without ending their
   * session.
   * @default 60_000
   */
  readonly reclaimAfterMs?: number;
  /** Milliseconds after the last request of a session until the session ends. @default off */
  readonly idleTimeoutMs?: number;
  /**
   * Shares sessions between the processes of an application: `redisSessions()` of
   * `@fledge/mcp/redis`. The other options then apply to all processes together. @default sessions
   * stay in the process that opened them
   */
  readonly store?: McpSessionStore;
  /**
   * Lets clients of MCP 2025-11-25 resume event streams after a lost connection. Events get ids and
   * are stored for a limited time. Calls continue while their client is disconnected.
   * @default false
   */
  readonly resume?: boolean | McpResumeOptions;
}

export const SESSIONS = {
  max: count.default(1),
  reclaimAfterMs: count.default(60_000),
  idleTimeoutMs: count.optional,
  store: kind<McpSessionStore>(
    'a store, such as redisSessions({ client })',
    (store) => typeof (store as Partial<McpSessionStore> | null)?.connect === 'function',
  ).optional,
  resume: feature(RESUME),
} satisfies OptionTable<McpSessionOptions>;
