import { Logger } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import type { McpPrincipal } from '../../options/auth-options.js';
import type { ResolvedOidc } from '../../options/auth-checks.js';
import { scopesFault } from '../../options/principal-check.js';
import { IssuerKeys, KeysUnavailable } from './issuer-keys.js';

/** What a token is found to be. `unavailable`: the provider's keys cannot be read, so it is not known. */
export type TokenVerdict =
  | { readonly kind: 'valid'; readonly principal: McpPrincipal }
  | { readonly kind: 'expired' | 'invalid' | 'unavailable' };

/** Maximum characters of a token: as long as all headers of a request may be in Node.js by default. */
const MAX_TOKEN_LENGTH = 16_384;

/** Checks JWT access tokens of one issuer (RFC 9068). */
export class TokenVerifier {
  private readonly logger = new Logger('McpModule');
  private readonly keys: IssuerKeys;

  /** Loads jose, which an application without this option does not need. */
  static async load(options: ResolvedOidc): Promise<TokenVerifier> {
    return new TokenVerifier(await import('jose'), options);
  }

  private constructor(
    private readonly jose: typeof import('jose'),
    private readonly options: ResolvedOidc,
  ) {
    this.keys = new IssuerKeys(jose, options);
  }

  /** Does not throw for any token. */
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
      this.logger.debug(`A token was refused: ${fault}`);
      return { kind: 'invalid' };
    } catch (error) {
      return this.verdictOf(error);
    }
  }

  private verdictOf(error: unknown): TokenVerdict {
    if (error instanceof KeysUnavailable) return { kind: 'unavailable' };
    const { code, message } = error as { readonly code?: string; readonly message?: string };
    const reason = `A token was refused: ${message ?? String(error)}`;
    // Without a code of jose it is a fault of the application, in `scopesOf`.
    if (code?.startsWith('ERR_J')) this.logger.debug(reason);
    else this.logger.warn(reason);
    return { kind: code === 'ERR_JWT_EXPIRED' ? 'expired' : 'invalid' };
  }

  private principalOf(claims: JWTPayload): McpPrincipal {
    const { scopesOf = tokenScopesOf } = this.options;
    const { iss = '', sub = '' } = claims;
    const scopes = scopesOf(claims);
    const fault = scopesFault(scopes);
    if (fault !== undefined) throw new TypeError(`auth.scopesOf cannot be used: ${fault}`);
    // An issuer has no fragment, so two ids are equal only if both parts are.
    return { ...claims, id: `${iss}#${sub}`, scopes };
  }
}

/** Types of other JWTs of a provider, such as `logout+jwt`, are no access tokens (RFC 8725 §3.11). */
const ACCESS_TOKEN = /^(application\/)?(at\+)?jwt$/i;

/** Why a token with a valid signature cannot be accepted; undefined if it can. */
function faultOf(typ: string | undefined, { sub, cnf }: JWTPayload): string | undefined {
  if (typ !== undefined && !ACCESS_TOKEN.test(typ)) return `its typ is ${typ}`;
  if (typeof sub !== 'string' || sub === '') return 'its sub is no text';
  // RFC 7800: only the holder of a key may use it, and a bearer proves nothing about that.
  if (cnf !== undefined) return 'it is bound to a key (cnf), which is not checked';
  return undefined;
}

/**
 * The scopes of a token, in each spelling that providers use: `scope` (RFC 8693 §4.2) and `scp`, as text with
 * spaces or as list.
 */
export function tokenScopesOf(claims: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...wordsOf(claims['scope']), ...wordsOf(claims['scp'])])];
}

function wordsOf(value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) =>
    typeof text === 'string' ? text.split(/\s+/).filter((word) => word !== '') : [],
  );
}
