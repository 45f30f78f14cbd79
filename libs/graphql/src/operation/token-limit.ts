import { parse } from 'graphql';
import { UnfitPeerError } from '../graphql.errors.js';

/**
 * Refuses versions of graphql before 16.6, which ignore `maxTokens`.
 * @throws UnfitPeerError
 */
export function refuseUnlimitedTokens(): void {
  try {
    parse('{ a }', { maxTokens: 1 });
  } catch {
    return;
  }
  throw new UnfitPeerError(
    { name: 'graphql', install: 'graphql@16' },
    'maxTokens',
    'it parses a document of three tokens with maxTokens: 1',
  );
}
