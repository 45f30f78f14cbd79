import crypto from 'node:crypto';

/**
 * Returns a digest, because without authentication the id of a session grants access to the
 * session.
 */
export function sessionKeyOf(sessionId: string): string {
  return crypto.hash('sha256', sessionId, 'hex').slice(0, 16);
}
