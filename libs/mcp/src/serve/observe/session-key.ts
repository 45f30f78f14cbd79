import crypto from 'node:crypto';

/** The id must stay secret: without authentication, anyone with it can use the session. */
export function sessionKeyOf(sessionId: string): string {
  return crypto.hash('sha256', sessionId, 'hex').slice(0, 16);
}
