import type { IncomingHttpHeaders } from 'node:http';
import { headerText } from '../protocol/headers.js';
import type { ClientMessage } from '../protocol/json-rpc.js';
import { claimedRevision, isStateless } from './2026-07-28/envelope.js';

/**
 * Returns false for a client's answer, because answers always belong to sessions.
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
