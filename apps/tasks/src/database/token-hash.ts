import { createHash } from 'node:crypto';

/**
 * Hashes an API token. The database stores and compares only hashes. Neither its rows nor the
 * duration of a lookup can therefore reveal a token.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
