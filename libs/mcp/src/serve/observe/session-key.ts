import crypto from 'node:crypto';

/**
 * Returns a digest of a session id. The id must stay secret: without authentication, anyone with
 * the id can use the session.
 */
export function sessionKeyOf(sessionId: string): string {
  return crypto.hash('sha256', sessionId, 'hex').slice(0, 16);
}
