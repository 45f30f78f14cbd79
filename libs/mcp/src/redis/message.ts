import type { McpSessionEnd, McpSessionMessage } from '../options/session-store.js';

/** A message about one session, sent through a Redis channel. */
export interface ChannelMessage {
  readonly id: string;
  readonly message?: McpSessionMessage;
  /** The reason for the end of the session. Undefined if the session has not ended. */
  readonly ended?: McpSessionEnd;
}

export function textOf(message: ChannelMessage): string {
  return JSON.stringify(message);
}

const KINDS = new Set<unknown>(['answer', 'cancel', 'push', 'event', 'moved', 'log-level']);

/**
 * Parses a message. Returns undefined if the message is invalid: other Redis clients may also
 * publish to the channel.
 */
export function messageIn(text: string): ChannelMessage | undefined {
  try {
    const parsed = Object(JSON.parse(text)) as Record<string, unknown>;
    const { id, message, ended } = parsed;
    if (typeof id !== 'string') return undefined;
    if (typeof ended === 'string') return { id, ended: ended as McpSessionEnd };
    if (!KINDS.has((Object(message) as { kind?: unknown }).kind)) return undefined;
    return { id, message: message as McpSessionMessage };
  } catch {
    return undefined;
  }
}
