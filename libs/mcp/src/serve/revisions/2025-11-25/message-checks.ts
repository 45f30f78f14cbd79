import { randomBytes } from 'node:crypto';
import type { Caller } from '../../call/caller.js';
import type { ClientMessage } from '../../protocol/json-rpc.js';
import { type Refusal, SESSION_NOT_FOUND, unsupportedVersion } from '../../protocol/refusals.js';
import type { ResolvedResume } from '../../../options/resume-options.js';
import type { Found } from './registry/session-registry.js';
import type { Session } from './session/session.js';
import { SESSION_REVISIONS } from './session/session-revisions.js';
import { RESUMABLE_SINCE } from './streams/session-streams.js';

export function isInitialize(message: ClientMessage): boolean {
  return message.kind === 'request' && message.message.method === 'initialize';
}

/** Returns a refusal if the session does not support the protocol version of the message. */
export function servedTo(
  caller: Caller,
  message: ClientMessage | undefined,
  stream: string | undefined,
  session: Found,
): Session | Refusal {
  if (session === undefined) return SESSION_NOT_FOUND;
  if ('status' in session) return session;
  const version = caller.origin.headers['mcp-protocol-version'];
  if (version === undefined || SESSION_REVISIONS.includes(String(version))) return session;
  if (message) session.abandon(message, stream);
  return unsupportedVersion(String(version), SESSION_REVISIONS);
}

export function sessionIdOf({ headers }: Caller['origin']): string | undefined {
  const id = headers['mcp-session-id'];
  return id === undefined || id === '' ? undefined : String(id);
}

/** Id for the event stream of a request. Undefined if the client cannot resume the stream. */
export function streamFor(
  message: ClientMessage,
  { origin }: Caller,
  resume: ResolvedResume | undefined,
): string | undefined {
  if (!resume || message.kind !== 'request' || isInitialize(message)) return undefined;
  const version = String(origin.headers['mcp-protocol-version'] ?? '');
  return version < RESUMABLE_SINCE ? undefined : randomBytes(12).toString('base64url');
}
