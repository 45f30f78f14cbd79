import { createHash } from 'node:crypto';

/**
 * What is stored of an API token. Tokens are looked up by this value: the time a look-up takes says
 * nothing about the token itself.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
