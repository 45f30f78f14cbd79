import { kind, listOf, oneOf, readBy } from '@fledge-internal/options';
import { isScope } from './option-rules.js';

/**
 * Algorithms with public keys. HS256 is excluded: a token could select HS256 and use a public key
 * as the secret (RFC 8725 §2.1).
 */
const ASYMMETRIC: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export const algorithms = listOf(oneOf(...ASYMMETRIC).required, 1).default(ASYMMETRIC);

export const requiredScopes = listOf(
  kind<string>('a scope without spaces or quotes', isScope).required,
).default([]);

/** Issuer URL (RFC 8414 §2). */
export const issuer = kind<string>(
  "an absolute URL without a query string or fragment, such as 'https://login.example.com'",
  (value) => isAbsoluteUrl(value) && !/[?#]/.test(value),
).required;

export const absoluteUrl = kind<string>(
  "an absolute URL, such as 'https://login.example.com'",
  isAbsoluteUrl,
);

function isAbsoluteUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** Reads `audience`. A URL without a path is accepted with and without a trailing slash. */
export const audience = readBy<string | readonly string[], readonly string[]>((given, place) => {
  const all: readonly unknown[] = [given].flat();
  // If there were no audience, the provider's tokens for any other application would be accepted.
  if (all.length > 0 && all.every((each) => typeof each === 'string' && each !== '')) {
    return [...new Set((all as readonly string[]).flatMap(spellingsOf))];
  }
  throw place.wrong(given, 'the `aud` claim of tokens for this application, such as its URL');
}).required;

/**
 * Returns the equivalent forms of a URL. A URL without a path has two forms: with and without a
 * slash at the end.
 */
function spellingsOf(given: string): readonly string[] {
  const [, origin] = /^(https?:\/\/[^/?#]+)\/?$/i.exec(given) ?? [];
  if (origin === undefined) return [given];
  return given === origin ? [origin, `${origin}/`] : [`${origin}/`, origin];
}

/** Returns true for an absolute URL without a fragment (RFC 9728 §1.2). */
export function isResourceUrl(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^https?:/i.test(value) &&
    URL.canParse(value) &&
    !value.includes('#')
  );
}

/** URL of a resource, or URL of a resource's metadata. */
export const resourceUrl = kind<string>(
  "an absolute URL without a fragment, such as 'https://api.example.com/_mcp/messages'",
  isResourceUrl,
).required;
