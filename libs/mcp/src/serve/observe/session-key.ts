import crypto from 'node:crypto';

/** A digest: without authentication, the id of a session is enough to use the session. */
export function sessionKeyOf(sessionId: string): string {
  return crypto.hash('sha256', sessionId, 'hex').slice(0, 16);
}
