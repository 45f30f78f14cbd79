import { count, feature, kind, type OptionTable } from '@fledge-internal/options';
import { isStore, milliseconds } from './option-rules.js';
import { type McpResumeOptions, RESUME } from './resume-options.js';
import type { McpSessionStore } from './session-store.js';

/** Options for sessions. Clients that use MCP 2024-10-07 to 2025-11-25 have sessions. */
export interface McpSessionOptions {
  /** Maximum number of open sessions, at least 1. @default 1 */
  readonly max?: number;
  /**
   * Minimum idle time in milliseconds after which a session may be closed. Such a session is closed
   * only if `max` is reached and a new client connects. A session is idle while it has no open
   * stream and no running request. Needed because many clients exit without ending their session.
   * @default 60_000
   */
  readonly reclaimAfterMs?: number;
  /**
   * Milliseconds without a client message after which a session ends. Sessions with a running
   * request do not end.
   * @default off
   */
  readonly idleTimeoutMs?: number;
  /**
   * Shares sessions between the processes of an application. Set `redisSessions()` of
   * `@fledge/mcp/redis`. Options such as `max` then count the sessions of all processes together.
   * @default sessions stay in the process that opened them
   */
  readonly store?: McpSessionStore;
  /**
   * Lets clients of MCP 2025-11-25 resume event streams after a lost connection. Events get ids and
   * are stored for a limited time. A call continues while its client is disconnected.
   * @default false
   */
  readonly resume?: boolean | McpResumeOptions;
}

export const SESSIONS = {
  max: count.default(1),
  reclaimAfterMs: count.default(60_000),
  idleTimeoutMs: milliseconds.optional,
  store: kind<McpSessionStore>('a session store, such as redisSessions({ client })', isStore)
    .optional,
  resume: feature(RESUME),
} satisfies OptionTable<McpSessionOptions>;
