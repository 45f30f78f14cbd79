import type { McpOidcAuthOptions } from './auth-options.js';
import { scopesFault } from './principal-check.js';
import { bad, positive } from './bad-option.js';

/** The options of authentication by an OpenID Connect provider, after every default is applied. */
export interface ResolvedOidc extends Pick<McpOidcAuthOptions, 'type' | 'issuer'> {
  /** Each spelling of a URL without path: with and without the slash at the end. */
  readonly audience: readonly string[];
  /** Undefined: that of the issuer's metadata. */
  readonly jwksUri: string | undefined;
  /** Undefined: `JWT`, `at+jwt` or none. */
  readonly typ: 'at+jwt' | undefined;
  /** Undefined: those of `scope` and `scp`. */
  readonly scopesOf: McpOidcAuthOptions['scopesOf'];
  readonly algorithms: readonly string[];
  readonly clockToleranceMs: number;
  readonly keyCacheMs: number;
  readonly requiredScopes: readonly string[];
}

/**
 * Algorithms whose keys a provider can publish. With HS256 a public key would be the secret, if a token could choose
 * the algorithm (RFC 8725 §2.1).
 */
const ASYMMETRIC = [
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

/** The characters of a scope (RFC 6749 §3.3). It is sent in a header. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/**
 * @param at place of the options: `auth.`
 * @throws McpOptionError for a missing or invalid value
 */
export function resolvedOidcOf(auth: McpOidcAuthOptions, at: string): ResolvedOidc {
  const { type, jwksUri, typ, clockToleranceMs = 30_000, keyCacheMs = 600_000 } = auth;
  if (jwksUri !== undefined) checkedUrl(`${at}jwksUri`, jwksUri);
  if (typ !== undefined && typ !== 'at+jwt') throw bad(`${at}typ`, typ, "'at+jwt', or left out");
  if (!Number.isSafeInteger(clockToleranceMs) || clockToleranceMs < 0) {
    throw bad(`${at}clockToleranceMs`, clockToleranceMs, 'a whole number of at least 0');
  }
  if (auth.scopesOf !== undefined && typeof auth.scopesOf !== 'function') {
    throw bad(`${at}scopesOf`, auth.scopesOf, 'a function');
  }
  return {
    type,
    issuer: issuerOf(auth, at),
    audience: audienceOf(auth, at),
    jwksUri,
    algorithms: algorithmsOf(auth, at),
    typ,
    clockToleranceMs,
    keyCacheMs: positive(`${at}keyCacheMs`, keyCacheMs),
    requiredScopes: scopesOf(auth, at),
    scopesOf: auth.scopesOf?.bind(auth),
  };
}

/** RFC 8414 §2: a URL without query and fragment. */
function issuerOf({ issuer }: McpOidcAuthOptions, at: string): string {
  checkedUrl(`${at}issuer`, issuer);
  if (!/[?#]/.test(issuer)) return issuer;
  throw bad(`${at}issuer`, issuer, 'a URL without query and fragment');
}

function checkedUrl(option: string, url: unknown): void {
  if (typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url)) return;
  throw bad(option, url, "an absolute URL, such as 'https://login.example.com'");
}

function audienceOf({ audience }: McpOidcAuthOptions, at: string): readonly string[] {
  const all = listOf(audience);
  // Without an audience, a token for any other application of the provider would be accepted.
  if (all.length === 0 || all.some((each) => typeof each !== 'string' || each === '')) {
    throw bad(
      `${at}audience`,
      audience,
      'what the tokens for this application have as aud, such as its URL',
    );
  }
  return [...new Set(all.flatMap(spellingsOf))];
}

/** Clients and providers write a URL without path with a slash at the end, or without. */
function spellingsOf(audience: string): readonly string[] {
  const [, origin] = /^(https?:\/\/[^/?#]+)\/?$/i.exec(audience) ?? [];
  if (origin === undefined) return [audience];
  return audience === origin ? [origin, `${origin}/`] : [`${origin}/`, origin];
}

function algorithmsOf({ algorithms = ASYMMETRIC }: McpOidcAuthOptions, at: string) {
  const unknown = algorithms.find((name) => !ASYMMETRIC.includes(name));
  if (unknown !== undefined || algorithms.length === 0) {
    throw bad(`${at}algorithms`, unknown ?? '[]', `some of ${ASYMMETRIC.join(', ')}`);
  }
  return algorithms;
}

function scopesOf({ requiredScopes = [] }: McpOidcAuthOptions, at: string): readonly string[] {
  if (scopesFault(requiredScopes) !== undefined) {
    throw bad(`${at}requiredScopes`, requiredScopes, "a list of strings, such as ['mcp']");
  }
  const wrong = requiredScopes.find((scope) => !SCOPE.test(scope));
  if (wrong === undefined) return requiredScopes;
  throw bad(`${at}requiredScopes`, wrong, 'a scope without spaces and quotes');
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}
