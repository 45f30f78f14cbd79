import { kind, listOf, oneOf, readBy } from '@fledge-internal/options';

// Rules for reading single authentication options.

/**
 * Algorithms with public keys. If HS256 were also accepted, a token could choose the algorithm and
 * use a public key as the secret (RFC 8725 §2.1).
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

/** Scopes are sent in a header, which restricts their characters (RFC 6749 §3.3). */
export const requiredScopes = listOf(
  kind<string>(
    'a scope without spaces and quotes',
    (value) => typeof value === 'string' && /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(value),
  ).required,
).default([]);

/** Issuer URL (RFC 8414 §2). */
export const issuer = kind<string>(
  "an absolute URL without query and fragment, such as 'https://login.example.com'",
  (value) => isAbsoluteUrl(value) && !/[?#]/.test(value),
).required;

export const absoluteUrl = kind<string>(
  "an absolute URL, such as 'https://login.example.com'",
  isAbsoluteUrl,
);

function isAbsoluteUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** Accepted values of `aud`. A URL without a path is accepted with and without a trailing slash. */
export const audience = readBy<string | readonly string[], readonly string[]>((given, place) => {
  const all: readonly unknown[] = [given].flat();
  // Without an audience, tokens for any other application of the provider would be accepted.
  if (all.length > 0 && all.every((each) => typeof each === 'string' && each !== '')) {
    return [...new Set((all as readonly string[]).flatMap(spellingsOf))];
  }
  throw place.wrong(given, 'the aud claim of tokens for this application, such as its URL');
}).required;

/**
 * Returns the spellings of a URL. If the URL has no path, some clients and providers add a trailing
 * slash and others do not.
 */
function spellingsOf(given: string): readonly string[] {
  const [, origin] = /^(https?:\/\/[^/?#]+)\/?$/i.exec(given) ?? [];
  if (origin === undefined) return [given];
  return given === origin ? [origin, `${origin}/`] : [`${origin}/`, origin];
}

/** Returns true for an absolute URL without fragment (RFC 9728 §1.2). */
export function isResourceUrl(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^https?:/i.test(value) &&
    URL.canParse(value) &&
    !value.includes('#')
  );
}

/** URL of a resource, or of its metadata. */
export const resourceUrl = kind<string>(
  "an absolute URL without fragment, such as 'https://api.example.com/_mcp/messages'",
  isResourceUrl,
).required;
