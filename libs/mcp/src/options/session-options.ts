import { count, feature, kind, type OptionTable } from '@fledge-internal/options';
import { type McpResumeOptions, RESUME } from './resume-options.js';
import type { McpSessionStore } from './session-store.js';

/** Sessions of clients of the revisions 2024-10-07 to 2025-11-25. */
export interface McpSessionOptions {
  /** Maximum number of open sessions, at least 1. @default 1 */
  readonly max?: number;
  /**
   * Milliseconds without an open stream or a running request after which a session is closed if a new
   * client needs its place. Needed because many clients exit without ending their session.
   * @default 60_000
   */
  readonly reclaimAfterMs?: number;
  /** A session ends this many milliseconds after its last request. @default off */
  readonly idleTimeoutMs?: number;
  /**
   * Shares sessions between the processes of an application: `redisSessions()` of `@fledge/mcp/redis`. The other
   * options then hold for the processes together. @default sessions stay in the process that opened them
   */
  readonly store?: McpSessionStore;
  /**
   * Lets clients of 2025-11-25 resume event streams after a lost connection: events get ids, and are kept for a while.
   * Calls go on while their client is away. @default false
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
