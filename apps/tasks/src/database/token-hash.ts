import { createHash } from 'node:crypto';

/**
 * Hashes an API token. The database stores and searches hashes, so neither its rows nor the time of a
 * look-up reveal a token.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
