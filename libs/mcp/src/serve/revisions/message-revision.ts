import type { IncomingHttpHeaders } from 'node:http';
import type { ClientMessage, JsonObject } from '../protocol/json-rpc.js';

// Decides which protocol version a message belongs to.

/** The first protocol version without sessions. */
export const REVISION = '2026-07-28';
/** Field of `_meta` in requests. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Returns true for MCP 2026-07-28 and later. Versions can be compared as strings. */
export function isStateless(revision: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(revision) && revision >= REVISION;
}

/**
 * Returns true for a message of MCP 2026-07-28 or later. A client's answer always belongs to a
 * session.
 * @param message undefined if the message is invalid
 */
export function isStatelessMessage(
  message: ClientMessage | undefined,
  headers: IncomingHttpHeaders,
): boolean {
  if (message?.kind === 'response') return false;
  const version = headerText(headers['mcp-protocol-version']);
  if (version !== undefined && isStateless(version)) return true;
  const claimed = claimedRevision(message?.message.params);
  if (message?.message.method !== 'initialize') return claimed !== undefined;
  return typeof claimed === 'string' && isStateless(claimed);
}

/** Returns undefined if the message contains no protocol version. */
export function claimedRevision(params: JsonObject | undefined): unknown {
  const meta = params?.['_meta'] as JsonObject | undefined;
  return meta?.[VERSION_KEY];
}

export function headerText(header: string | readonly string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).trim();
}
