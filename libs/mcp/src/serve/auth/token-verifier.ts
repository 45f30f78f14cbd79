import { Logger } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import type { McpPrincipal } from '../../options/auth-options.js';
import type { ResolvedOidc } from '../../options/auth-checks.js';
import { scopesFault } from '../../options/principal-check.js';
import { IssuerKeys, KeysUnavailable } from './issuer-keys.js';

/** `unavailable`: the token could not be checked, because the provider's keys cannot be read. */
export type TokenVerdict =
  | { readonly kind: 'valid'; readonly principal: McpPrincipal }
  | { readonly kind: 'expired' | 'invalid' | 'unavailable' };

/** Node.js has the same default limit for all headers of a request together. */
const MAX_TOKEN_LENGTH = 16_384;

/** Checks JWT access tokens of one issuer (RFC 9068). */
export class TokenVerifier {
  private readonly logger = new Logger('McpModule');
  private readonly keys: IssuerKeys;

  /** Applications without `type: 'oidc'` do not load jose. */
  static async load(options: ResolvedOidc): Promise<TokenVerifier> {
    return new TokenVerifier(await import('jose'), options);
  }

  private constructor(
    private readonly jose: typeof import('jose'),
    private readonly options: ResolvedOidc,
  ) {
    this.keys = new IssuerKeys(jose, options);
  }

  /** Never throws. */
  async verify(token: string): Promise<TokenVerdict> {
    if (token.length > MAX_TOKEN_LENGTH) return { kind: 'invalid' };
    const { issuer, audience, algorithms, typ, clockToleranceMs } = this.options;
    try {
      const { payload, protectedHeader } = await this.jose.jwtVerify(
        token,
        (header, jws) => this.keys.keyFor(header, jws),
        {
          issuer,
          audience: [...audience],
          algorithms: [...algorithms],
          clockTolerance: clockToleranceMs / 1_000,
          requiredClaims: ['exp', 'sub'],
          ...(typ !== undefined && { typ }),
        },
      );
      const fault = faultOf(protectedHeader.typ, payload);
      if (fault === undefined) return { kind: 'valid', principal: this.principalOf(payload) };
      this.logger.debug(`A token was rejected: ${fault}`);
      return { kind: 'invalid' };
    } catch (error) {
      return this.verdictOf(error);
    }
  }

  private verdictOf(error: unknown): TokenVerdict {
    if (error instanceof KeysUnavailable) return { kind: 'unavailable' };
    const { code, message } = error as { readonly code?: string; readonly message?: string };
    const reason = `A token was rejected: ${message ?? String(error)}`;
    // An error without a jose code comes from the application's `scopesOf`.
    if (code?.startsWith('ERR_J')) this.logger.debug(reason);
    else this.logger.warn(reason);
    return { kind: code === 'ERR_JWT_EXPIRED' ? 'expired' : 'invalid' };
  }

  private principalOf(claims: JWTPayload): McpPrincipal {
    const { scopesOf = tokenScopesOf } = this.options;
    const { iss = '', sub = '' } = claims;
    const scopes = scopesOf(claims);
    const fault = scopesFault(scopes);
    if (fault !== undefined)
      throw new TypeError(`auth.scopesOf returned an invalid value: ${fault}`);
    // An issuer contains no `#`, so ids are equal only if both the issuer and `sub` are equal.
    return { ...claims, id: `${iss}#${sub}`, scopes };
  }
}

/**
 * Accepted values of `typ`. A provider also signs JWTs that are not access tokens, such as
 * `logout+jwt` (RFC 8725 §3.11).
 */
const ACCESS_TOKEN = /^(application\/)?(at\+)?jwt$/i;

/** Returns the reason if the token must be rejected. The signature is already checked. */
function faultOf(typ: string | undefined, { sub, cnf }: JWTPayload): string | undefined {
  if (typ !== undefined && !ACCESS_TOKEN.test(typ)) {
    return `its \`typ\` is ${typ}, not at+jwt or JWT`;
  }
  if (typeof sub !== 'string' || sub === '') return 'its `sub` is not a string';
  // RFC 7800: only the owner of a key may use such a token. Bearer authentication cannot prove that
  // the sender owns the key.
  if (cnf !== undefined) {
    return 'the token is bound to a key (`cnf`). Only tokens without a key are accepted';
  }
  return undefined;
}

/** Providers use `scope` (RFC 8693 §4.2) or `scp`, as a space-separated string or as a list. */
export function tokenScopesOf(claims: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...wordsOf(claims['scope']), ...wordsOf(claims['scp'])])];
}

function wordsOf(value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) =>
    typeof text === 'string' ? text.split(/\s+/).filter((word) => word !== '') : [],
  );
}
