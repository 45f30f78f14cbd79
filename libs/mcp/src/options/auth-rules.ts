import { kind, listOf, oneOf, readBy } from '@fledge-internal/options';

// How single options of authentication are read.

/**
 * Algorithms whose keys a provider can publish. With HS256 a public key would be the secret, if a token could choose
 * the algorithm (RFC 8725 §2.1).
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

/** It is sent in a header (RFC 6749 §3.3). */
export const requiredScopes = listOf(
  kind<string>(
    'a scope without spaces and quotes',
    (value) => typeof value === 'string' && /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(value),
  ).required,
).default([]);

/** RFC 8414 §2. */
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

/** What tokens may have as `aud`: each spelling of a URL without path, with and without the slash at the end. */
export const audience = readBy<string | readonly string[], readonly string[]>((given, place) => {
  const all: readonly unknown[] = [given].flat();
  // Without an audience, a token for any other application of the provider would be accepted.
  if (all.length > 0 && all.every((each) => typeof each === 'string' && each !== '')) {
    return [...new Set((all as readonly string[]).flatMap(spellingsOf))];
  }
  throw place.wrong(given, 'what the tokens for this application have as aud, such as its URL');
}).required;

/** Clients and providers write a URL without path with a slash at the end, or without. */
function spellingsOf(given: string): readonly string[] {
  const [, origin] = /^(https?:\/\/[^/?#]+)\/?$/i.exec(given) ?? [];
  if (origin === undefined) return [given];
  return given === origin ? [origin, `${origin}/`] : [`${origin}/`, origin];
}

/** RFC 9728 §1.2: a URL without fragment. */
export function isResourceUrl(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^https?:/i.test(value) &&
    URL.canParse(value) &&
    !value.includes('#')
  );
}

/** The URL of a resource, or of its metadata. */
export const resourceUrl = kind<string>(
  "an absolute URL without fragment, such as 'https://api.example.com/_mcp/messages'",
  isResourceUrl,
).required;
